import { afterAll, beforeAll, describe } from "bun:test";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { databaseConformance } from "./database.conformance.ts";

describe.skipIf(postgresMissing !== undefined)("postgres", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  databaseConformance("postgres", async () => {
    const { url } = await server.createDatabase();
    const database = openDatabase({ driver: "postgres", path: "", url }, {});
    return { database, dispose: () => database.close() };
  });
});
