import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { createApp } from "../../src/app/index.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";
import { definitions } from "../support/definitions.ts";
import { auth } from "../support/auth.ts";
import { temporaryDatabase } from "../support/database.ts";
import { createClient } from "../support/client.ts";
import { testEnvironment } from "../support/environment.ts";

test("L-01 where registering takes a verified address, a taken one costs as many writes as a free one", async () => {
  await using temporary = await temporaryDatabase();
  const env = { ...testEnvironment(dirname(temporary.path)), AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" };
  const loaded = loadConfig({ app: definitions.app, env });
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const { config } = loaded;
  const stored = temporary.database;
  let writes = 0;
  const database: typeof stored = {
    ...stored,
    run(...args) {
      writes += 1;
      return stored.run(...args);
    },
    batch(statements) {
      writes += 1;
      return stored.batch(statements);
    },
  };
  const log = createLog({ format: "json", level: "error", clock: systemClock });
  const app = await createApp({
    definition: definitions.app,
    config,
    build,
    log,
    database: { ...temporary, database },
  });
  const { url } = await app.http.start();
  try {
    const register = async (fields: object): Promise<number> => {
      const before = writes;
      const answer = await createClient(url.origin).post(auth("register"), {
        email: "ada@example.test",
        password: "a long walk by the sea",
        ...fields,
      });
      expect(answer.json).toEqual({ ok: true, requires_email_verification: true });
      return writes - before;
    };
    const free = await register({ username: "ada" });
    expect(await register({ username: "ada.lovelace" })).toBe(free);
    expect(await register({})).toBe(free);
  } finally {
    await app.http.stop(0);
    await app.close();
  }
});
