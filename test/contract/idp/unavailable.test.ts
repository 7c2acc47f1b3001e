import { afterEach, describe, expect, test } from "bun:test";
import { calm } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { form, idpEnvironment } from "./idp.fixture.ts";

endTargetsAfterEach();

describe.skipIf(postgresMissing !== undefined)(`a database that is away (${postgresMissing ?? "real"})`, () => {
  let server: Postgres | undefined;
  afterEach(() => server?.stop());

  test("D-02 a program that asks for a token meanwhile is told when to ask again", async () => {
    server = await startPostgres();
    const { url } = await server.createDatabase();
    const env = { ...calm, ...idpEnvironment, DB_DRIVER: "postgres", DB_URL: url };
    const target = await startTarget({ env, roles: ["http"] });
    await server.kill();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = form({ grant_type: "client_credentials", client_id: crypto.randomUUID(), client_secret: "ghc_none" });
    const answer = await createClient(target.url).post("/oauth2/token", undefined, { headers, body });
    expect({ status: answer.status, error: answer.at("error") }).toEqual({
      status: 503,
      error: "temporarily_unavailable",
    });
    expect(answer.headers.get("retry-after")).toBe("1");
    await target.stop();
  }, 60_000);
});
