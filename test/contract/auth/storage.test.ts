import { describe, expect, test } from "bun:test";
import { randomBytes, scryptSync } from "node:crypto";
import { auth, browserWith, hour, isServed, mailedToken, refreshes, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, mailbox, people } = await stage({ hashesAsShipped: true });

const storedHash = ({ id }: { readonly id: string }): string =>
  String(rows.get("select password_hash from users where id = ?", id)["password_hash"]);
const currentForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{22,})\$[A-Za-z0-9+/]{43}$/;
/** Returns the `$argon2id$v=19$m=…,t=…,p=…$` of a stored hash. */
const parametersOf = (id: string): string => storedHash({ id }).split("$").slice(0, 4).join("$");
const stem = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

describe("passwords", () => {
  test("P-12 are stored as Argon2id in PHC form, at least 19 MiB, t=2, p=1, each with a salt of its own", async () => {
    const [ada, grace] = [
      await people.register("ada", { password: "one password for two" }),
      await people.register("grace", { password: "one password for two" }),
    ];
    const salts = [ada, grace].map((person) => {
      const [, m, t, p, salt = ""] = currentForm.exec(storedHash(person)) ?? [];
      expect(Number(m)).toBeGreaterThanOrEqual(19_456);
      expect(Number(t)).toBeGreaterThanOrEqual(2);
      expect(Number(p)).toBe(1);
      expect(Buffer.from(salt, "base64").length).toBeGreaterThanOrEqual(16);
      return salt;
    });
    expect(new Set(salts).size).toBe(2);
  });

  const salt = randomBytes(16);
  const imported: Readonly<Record<string, (password: string) => string | Promise<string>>> = {
    bcrypt: (password) => Bun.password.hash(password, { algorithm: "bcrypt", cost: 6 }),
    scrypt: (password) =>
      `$scrypt$ln=12,r=8,p=1$${stem(salt)}$${stem(scryptSync(password, salt, 32, { N: 4096, r: 8, p: 1 }))}`,
    "a weaker Argon2id": (password) =>
      Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8_192, timeCost: 2 }),
    "a shorter Argon2id": (password) =>
      Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 1 }),
    Argon2i: (password) => Bun.password.hash(password, { algorithm: "argon2i", memoryCost: 19_456, timeCost: 2 }),
  };

  test.each(Object.keys(imported))("P-13 a login with %s succeeds, and the row is rehashed", async (name) => {
    const ada = await people.register("ada");
    const old = (await imported[name]?.(ada.password)) ?? "";
    rows.run("update users set password_hash = ? where id = ?", old, ada.id);
    const wrong = await createClient(target.url).post(auth("login"), {
      login: ada.email,
      password: "not the password",
    });
    expect(wrong.status).toBe(401);
    expect(storedHash(ada)).toBe(old);
    await ada.login();
    const rehashed = storedHash(ada);
    expect(rehashed).toStartWith(parametersOf((await people.register("grace")).id));
    await ada.login();
    expect(storedHash(ada)).toBe(rehashed);
  });

  test("P-13 logins that renew one imported hash at the same time all succeed, and open sessions that serve", async () => {
    const ada = await people.register("ada");
    const old = (await imported["bcrypt"]?.(ada.password)) ?? "";
    rows.run("update users set password_hash = ? where id = ?", old, ada.id);
    const clients = [1, 2].map(() => createClient(target.url));
    const form = { login: ada.email, password: ada.password };
    const answers = await Promise.all(clients.map((client) => client.post(auth("login"), form)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const served = await Promise.all(clients.map((client) => client.get(auth("me"))));
    expect(served.map(({ status }) => status)).toEqual([200, 200]);
    expect(storedHash(ada)).toMatch(currentForm);
  });

  test("a stored hash that can't be read is no password, and no error either", async () => {
    const ada = await people.register("ada");
    for (const broken of [
      "",
      "x",
      "$argon2id$",
      "$2b$10$x",
      "$scrypt$ln=31,r=8,p=1$AAAA$AAAA",
      ada.password,
      "$argon2id$v=19$m=4294967295,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
    ]) {
      rows.forgive();
      rows.run("update users set password_hash = ? where id = ?", broken, ada.id);
      const answer = await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
      expect({ broken, status: answer.status }).toEqual({ broken, status: 401 });
    }
  });

  test("P-16 never grow too old: one set ten years ago logs in and is not to be changed", async () => {
    const ada = await people.register("ada");
    const tenYears = 10 * 365 * 24 * hour;
    rows.run(
      "update users set created_at = created_at - ?, updated_at = updated_at - ?, last_login_at = null where id = ?",
      tenYears,
      tenYears,
      ada.id,
    );
    const answer = await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
    expect(answer.status).toBe(200);
    expect(Object.keys(Object(answer.json)).toSorted()).toEqual(["ok", "user"]);
  });
});

describe("what a thief of the database gets", () => {
  test("C-06 G-02 hashes alone: no secret, token or password is in its files, and none of its values opens anything", async () => {
    const ada = await people.register("ada");
    await ada.client.post(auth("refresh"));
    const verification = await mailedToken(mailbox, ada.email, "Verify your email");
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const reset = await mailedToken(mailbox, ada.email, "Reset your password");
    const { access, refresh } = secretsOf(ada.client);
    const [, , secret = "", tag = ""] = refresh.split(".");
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(Buffer.from(reset, "base64url")).toHaveLength(32);
    const stolen = rows.everything();
    expect(stolen).toContain(ada.email);
    for (const hidden of [access, refresh, secret, tag, reset, ada.password, verification]) {
      expect(stolen.includes(hidden)).toBe(false);
    }
    const { id, secret_hash, generation } = rows.get(
      "select id, secret_hash, generation from auth_sessions where user_id = ?",
      ada.id,
    );
    expect(secret_hash).toBe(new Bun.CryptoHasher("sha256").update(secret).digest("hex"));
    for (const value of [
      String(secret_hash),
      `${String(id)}.${String(generation)}.${String(secret_hash)}.${tag}`,
      String(id),
    ]) {
      expect(await isServed(browserWith(target.url, { refresh: value }))).toBe(false);
      expect(await refreshes(browserWith(target.url, { refresh: value }))).toBe(false);
    }
    const grant = rows.get("select * from auth_grants where user_id = ? and purpose = 'password_reset'", ada.id);
    expect(grant).toMatchObject({
      email_key: ada.email,
      token_hash: new Bun.CryptoHasher("sha256").update(reset).digest("hex"),
    });
    for (const token of [String(grant["token_hash"]), String(grant["id"])]) {
      const answer = await createClient(target.url).post(auth("password-reset/confirm"), {
        token,
        new_password: "another walk by the sea",
      });
      expect(answer.status).toBe(401);
    }
  });

  test("C-06 secrets are never repeated", async () => {
    const ada = await people.register("ada");
    const secrets = new Set<string>();
    for (let refresh = 0; refresh < 50; refresh += 1) {
      await ada.client.post(auth("refresh"));
      secrets.add(secretsOf(ada.client).refresh.split(".")[2] ?? "");
    }
    expect(secrets.size).toBe(50);
  });

  test("a login is not among the counters: they are named by digest", async () => {
    await createClient(target.url).post(auth("login"), {
      login: "secret.name@example.test",
      password: "typed in the wrong field",
    });
    expect(rows.count("auth_attempts")).toBeGreaterThan(0);
    expect(rows.everything()).not.toContain("secret.name");
  });
});
