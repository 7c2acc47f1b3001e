alter table organization_members drop column linked_at;
drop table organization_providers;
drop table organization_leavers;
drop table organization_domains;
