import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { auth, expectRefusal } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, people } = await stage({
  hashesAsShipped: true,
  env: { AUTH_PASSWORD_HASH_CONCURRENCY: "1", AUTH_PASSWORD_HASH_QUEUE: "3" },
});

const login = (name: string) =>
  createClient(target.url).post(auth("login"), { login: name, password: "not the password" });
const refused = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 503);

describe("more passwords than can be hashed", () => {
  test("L-15 a bounded number wait, the others get 503 with Retry-After; other routes go on answering", async () => {
    const ada = await people.register("ada");
    const flood = Array.from({ length: 30 }, (_, index) => login(`nobody${index}`));
    const others = await Promise.all([
      ada.client.get("/-/health"),
      ada.client.get("/api/v1/hello"),
      ada.client.post(auth("refresh")),
    ]);
    const answers = await Promise.all(flood);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(4);
    expect(refused(answers).length).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
    for (const answer of refused(answers)) {
      expectRefusal(answer, 503, "too many password checks in progress", "overloaded");
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(answer.setCookies).toEqual([]);
    }
    expect((await login("nobody-later")).status).toBe(401);
  });

  test("L-15 a login that was not tried for lack of room is no failure of the account", async () => {
    const ada = await people.register("ada.busy");
    let flooding = true;
    const flood = Array.from({ length: 30 }, async (_, lane) => {
      for (let turn = 0; flooding; turn += 1) await login(`crowd${lane}.${turn}`);
    });
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const body = { login: ada.email, password: ada.password };
      statuses.add((await createClient(target.url).post(auth("login"), body)).status);
    }
    flooding = false;
    await Promise.all(flood);
    for (const status of statuses) expect([200, 503]).toContain(status);
    await ada.login();
  });

  test.skipIf(process.platform !== "linux")("the threads that hash stand back behind the one that serves", async () => {
    await login("nobody-nicely");
    const pid = target.pid ?? process.pid;
    const tasks = `/proc/${pid}/task`;
    const threads = readdirSync(tasks).map((id) => {
      // proc_pid_stat(5): the name stands in parentheses, and the third field follows. The nineteenth field is the nice value.
      const [, name = "", fields = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`${tasks}/${id}/stat`, "utf8")) ?? [];
      return { serves: Number(id) === pid, hashes: name.startsWith("Bun Pool"), nice: Number(fields.split(" ")[16]) };
    });
    const serving = threads.find(({ serves }) => serves)?.nice ?? 0;
    expect(threads.some(({ hashes, nice }) => hashes && nice === Math.min(19, serving + 5))).toBe(true);
    expect(threads.filter(({ hashes, nice }) => !hashes && nice !== serving)).toEqual([]);
  });
});
