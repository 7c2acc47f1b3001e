import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../src/app/index.ts";
import { emailKey } from "../../src/auth/user/identifiers.ts";
import { createLetters } from "../../src/auth/mail/letters.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { createLog } from "../../src/observe/log.ts";
import { auth, calm, createPeople, expectRefusal, mailedToken, mailTo, openRows, type Rows } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { startMailbox, type Mailbox } from "../support/smtp.ts";
import { testEnvironment } from "../support/environment.ts";
import { startTarget, type Target } from "../support/target.ts";
import { definitions } from "../support/definitions.ts";

let mailbox: Mailbox;
let target: Target;
let rows: Rows;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  mailbox = await startMailbox();
  target = await startTarget({ env: { ...calm, ...mailTo(mailbox) } });
  rows = openRows(target.databasePath);
  people = createPeople(target.url);
});
afterAll(async () => {
  rows.close();
  await target.stop();
  await mailbox.stop();
});

describe("X-08 an address is normalised first and judged then", () => {
  test.each([
    ["a full-width @ in the local part", "ada\uff20home@example.test"],
    ["a local part that becomes a space", "ada\u00a8x@example.test"],
    ["a local part that becomes dots", "ada\u2025x@example.test"],
    ["a local part that becomes a colon", "ada\uff1ax@example.test"],
    ["a local part longer than it looks", `${"\ufdfa".repeat(10)}@example.test`],
    ["a character that shows nothing", "ada\ufe0f@example.test"],
    ["a path after the domain", "ada@example.test/x"],
    ["a query after the domain", "ada@example.test?x"],
    ["a fragment after the domain", "ada@example.test#x"],
    ["a domain with percent-encoding", "ada@ex%61mple.test"],
  ])("%s is refused", async (_, email) => {
    expect(emailKey(email)).toBeUndefined();
    const answer = await createClient(target.url).post(auth("register"), { email, password: "a long walk by the sea" });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
  });

  test("the canonical form is its own canonical form, whatever character is in it", () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const key = emailKey(`a${String.fromCharCode(code)}b@example.test`);
      if (key !== undefined) expect(emailKey(key)).toBe(key);
    }
  });

  test("a user name holds no character that shows nothing", async () => {
    for (const invisible of ["\u3164", "\ufe0f", "\u034f"]) {
      const fields = { username: `ada${invisible}`, email: "shadow@example.test", password: "a long walk by the sea" };
      const answer = await createClient(target.url).post(auth("register"), fields);
      expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    }
  });
});

describe("the guard", () => {
  test("answers 401 to the anonymous before it judges the body", async () => {
    for (const [route, body] of [
      ["profile", { display_name: 5 }],
      ["change-password", {}],
    ] as const) {
      expectRefusal(await createClient(target.url).post(auth(route), body), 401, "unauthorized", "unauthorized");
    }
  });

  test("takes the scheme of the Authorization header in any case (RFC 9110 §11.1)", async () => {
    const ada = await people.register("ada");
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${ada.client.cookie("auth_access")}` };
      expect((await createClient(target.url).get(auth("me"), { headers })).status).toBe(200);
    }
  });

  test("C-17 what is answered to a session is kept by no cache, plain text included", async () => {
    const ada = await people.register("ada");
    const greeting = await ada.client.get("/api/v1/hello");
    expect(greeting.status).toBe(200);
    expect(greeting.headers.get("cache-control")).toBe("no-store");
  });
});

describe("POST /profile", () => {
  test("edits of different fields at the same time all stay", async () => {
    const ada = await people.register("ada");
    for (let round = 0; round < 10; round += 1) {
      const edits = {
        display_name: `Ada ${round}`,
        locale: round % 2 === 0 ? "de" : "fr",
        timezone: round % 2 === 0 ? "UTC" : "Asia/Tokyo",
      };
      const answers = await Promise.all(
        Object.entries(edits).map(([field, value]) => ada.client.post(auth("profile"), { [field]: value })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await ada.client.get(auth("me"))).at("user")).toMatchObject(edits);
    }
  });

  test("an edit at the moment of the verification does not undo it", async () => {
    const ada = await people.register("ada");
    const token = await mailedToken(mailbox, ada.email, "Verify your email");
    const [confirmed, edited] = await Promise.all([
      createClient(target.url).post(auth("email-verification/confirm"), { token }),
      ada.client.post(auth("profile"), { display_name: "Ada" }),
    ]);
    expect([confirmed.status, edited.status]).toEqual([200, 200]);
    expect((await ada.client.get(auth("me"))).at("user.email_verified_at")).not.toBeNull();
  });

  test("another spelling of the address may be another mailbox: it takes the password and waits for its link", async () => {
    const ada = await people.register("finn");
    rows.run("update users set email_verified_at = 1 where id = ?", ada.id);
    const email = ada.email.replace("fi", "\ufb01");
    expectRefusal(
      await ada.client.post(auth("profile"), { email }),
      403,
      "reauthentication required",
      "reauthentication_required",
    );
    const moved = await ada.client.post(auth("profile"), { email, current_password: ada.password });
    expect(moved.at("user")).toMatchObject({ email: ada.email, pending_email: email });
    expect((await ada.client.post(auth("profile"), { email, locale: "de" })).status).toBe(200);
  });
});

test("L-01 where registering takes a verified address, a taken one costs as many writes as a free one", async () => {
  const env = { ...testEnvironment(target.folder), AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" };
  const loaded = loadConfig({ app: definitions.app, env });
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const { config } = loaded;
  const stored = openDatabase({ driver: "sqlite", path: `${target.databasePath}.counted` }, {});
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
  const app = await createApp({ definition: definitions.app, config, build, log, database });
  await app.migrator.up();
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

test("G-05 mail links keep the path of APP_URL", () => {
  for (const appUrl of ["https://example.test/accounts", "https://example.test/accounts/"]) {
    const letters = createLetters({ appUrl: new URL(appUrl), product: "Gatehouse" });
    const ada = { to: "ada@example.test", isOwn: true, user: undefined };
    expect(letters.passwordReset(ada, { at: 0 }, { token: "t0ken", expiresAt: 0 }).text).toContain(
      "https://example.test/accounts/reset-password?token=t0ken\n",
    );
  }
});
