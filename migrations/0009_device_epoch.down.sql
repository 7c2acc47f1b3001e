alter table users drop column device_epoch;
