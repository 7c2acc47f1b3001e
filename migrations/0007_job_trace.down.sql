alter table jobs drop column trace_id;
