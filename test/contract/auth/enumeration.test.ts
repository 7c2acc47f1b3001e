import { describe, expect, test } from "bun:test";
import { appearance, auth, separability } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

// Without a worker, the jobs of a request stay visible.
const { target, rows, mailbox, people } = await stage({ roles: ["http"], hashesAsShipped: true });
const [ada, grace, alan] = [
  await people.register("ada"),
  await people.register("grace"),
  await people.register("alan"),
];
rows.run("update users set active = 0 where id = ?", grace.id);
rows.run("update users set password_hash = null where id = ?", alan.id);

const login = (name: string, password = "not the password") =>
  createClient(target.url).post(auth("login"), { login: name, password });
const requestReset = (name: string) => createClient(target.url).post(auth("password-reset/request"), { login: name });

/** Times each class `samples` times, one request at a time, the classes in turn. */
async function times(
  samples: number,
  classes: Readonly<Record<string, () => Promise<Answer>>>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const taken = new Map(Object.keys(classes).map((name): [string, number[]] => [name, []]));
  for (let sample = -5; sample < samples; sample += 1) {
    const turns = Object.entries(classes);
    for (let turn = 0; turn < turns.length; turn += 1) {
      const [name, ask] = turns[(turn + sample + turns.length * 5) % turns.length] ?? [];
      if (name === undefined || ask === undefined) throw new Error("no class");
      rows.forgive();
      const started = performance.now();
      await ask();
      if (sample >= 0) taken.get(name)?.push(performance.now() - started);
    }
  }
  return taken;
}

/** With this many samples, chance alone stays within these bounds by 4 standard deviations. Omitted work moves the value to 0 or 1. */
const samples = 80;
function expectInseparable(taken: ReadonlyMap<string, readonly number[]>): void {
  const [[reference, ofReference] = ["", []], ...others] = taken;
  for (const [name, ofName] of others) {
    const area = separability(ofReference, ofName);
    expect({ reference, name, area, told: area > 0.3 && area < 0.7 }).toEqual({ reference, name, area, told: true });
  }
}

describe("nobody learns who has an account", () => {
  test("L-01 unknown, wrong, inactive and passwordless: same status, same bytes, same headers", async () => {
    const wrong = appearance(await login(ada.email));
    expect(wrong.status).toBe(401);
    const others = [
      await login(ada.username),
      await login("nobody@example.test"),
      await login("nobody"),
      await login("not an address@"),
      await login("x".repeat(320)),
      await login(grace.email, grace.password),
      await login(grace.email),
      await login(alan.email),
      await login(alan.email, alan.password),
      await login("constructor"),
      await login("__proto__"),
      await login("' or 1=1 --"),
    ];
    for (const other of others) expect(appearance(other)).toEqual(wrong);
    rows.forgive();
  });

  test("L-02 the time of a failed login does not tell known from unknown, inactive or passwordless", async () => {
    const taken = await times(samples, {
      known: () => login(ada.email),
      unknown: () => login("nobody@example.test"),
      inactive: () => login(grace.email, grace.password),
      passwordless: () => login(alan.email),
    });
    expectInseparable(taken);
  }, 120_000);

  test("G-01 the time of a reset request does not tell either, and nothing is mailed inline", async () => {
    const before = rows.count("jobs where name = 'auth:send-password-reset'");
    const taken = await times(samples, {
      known: () => requestReset(ada.email),
      unknown: () => requestReset("nobody@example.test"),
      inactive: () => requestReset(grace.email),
    });
    expectInseparable(taken);
    expect(rows.count("jobs where name = 'auth:send-password-reset'") - before).toBe(3 * (samples + 5));
    expect(rows.count("auth_grants where purpose = 'password_reset'")).toBe(0);
    expect(mailbox.all()).toEqual([]);
  }, 120_000);
});
