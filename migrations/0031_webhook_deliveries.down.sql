drop table webhook_deliveries;
