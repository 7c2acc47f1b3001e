-- additive
-- Which request or job asked for it (W3C trace id); null where nobody recorded that.
alter table jobs add column trace_id text;
