-- additive
-- The attempts to deliver messages to webhooks: what was sent, which the first attempt at a message keeps, and the beginning of what was answered. A message about an account goes with it.
create table webhook_deliveries (
  id text primary key,
  app text not null,
  webhook text not null,
  message_id text not null,
  topic text not null,
  user_id text references users (id) on delete cascade,
  attempt bigint not null,
  at bigint not null,
  duration_ms bigint not null,
  outcome text not null,
  status bigint,
  error text,
  sent text,
  answer text
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook, id);
create index webhook_deliveries_failed on webhook_deliveries (id) where outcome <> 'delivered';
create index webhook_deliveries_message on webhook_deliveries (message_id, id);
create index webhook_deliveries_user on webhook_deliveries (user_id) where user_id is not null;
create index webhook_deliveries_at on webhook_deliveries (at);
