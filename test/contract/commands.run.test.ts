import { expect, test } from "bun:test";
import { createClient } from "../support/client.ts";
import { endTargetsAfterEach, startTarget } from "../support/target.ts";

endTargetsAfterEach();

test("the bare command runs HTTP, worker and scheduler together, and SIGTERM ends it with 0", async () => {
  const target = await startTarget({ ownProcess: true });
  expect(target.logs()).toMatch(/"message":"started".*"roles":\["http","worker","scheduler"\]/);
  const answer = await createClient(target.url).get("/-/ready");
  expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { status: "ready", app: "app" } });
  expect(await target.stop()).toBe(0);
  expect(target.logs()).toContain('"message":"stopped"');
});

test("api serves HTTP alone; worker and scheduler open no listener", async () => {
  const api = await startTarget({ ownProcess: true, roles: ["http"] });
  expect((await createClient(api.url).get("/-/health")).json).toEqual({ status: "ok" });
  const env = { DB_DATABASE: api.databasePath };
  for (const role of ["worker", "scheduler"] as const) {
    const other = await startTarget({ ownProcess: true, roles: [role], env, migrate: false });
    expect(other.url).toBe("");
    expect(other.logs()).toContain(`"roles":["${role}"]`);
    expect(await other.stop()).toBe(0);
  }
  expect(await api.stop()).toBe(0);
});

test("a start does not migrate: readiness answers 503 and the log says what to do", async () => {
  const target = await startTarget({ ownProcess: true, migrate: false });
  expect((await createClient(target.url).get("/-/ready")).status).toBe(503);
  expect(target.logs()).toContain("run the migrate command");
  await target.stop();
});
