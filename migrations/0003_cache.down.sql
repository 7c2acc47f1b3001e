drop table cache_entries;
