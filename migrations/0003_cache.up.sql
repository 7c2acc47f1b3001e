-- additive
create table cache_entries (
  cache text not null,
  entry_key text not null,
  value text not null,
  expires_at bigint,
  primary key (cache, entry_key)
);
create index cache_entries_expired on cache_entries (expires_at) where expires_at is not null;
