import { SQL } from "bun";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { databaseConformance } from "./database.conformance.ts";

const server = "postgres://postgres@127.0.0.1:15432";
let count = 0;
databaseConformance("postgres", async () => {
  const name = `c${process.pid}_${++count}`;
  const admin = new SQL(`${server}/postgres`, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const database = openDatabase({ driver: "postgres", path: "", url: `${server}/${name}?sslmode=disable`, pool: 8 }, {});
  return { database, async dispose() { await database.close(); await admin.unsafe(`drop database ${name} with (force)`); await admin.close(); } };
});
