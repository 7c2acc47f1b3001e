import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";
import { createEvenPace } from "../../src/auth/password/even.pace.ts";
import { createPasswordHasher } from "../../src/auth/password/password.hash.ts";
import { readStoredHash } from "../../src/auth/password/stored.hash.ts";
import { foreignHashes } from "../support/foreign.hashes.ts";

const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [], write: () => undefined });
const stranger = { path: ["192.0.2.1"] };
const hasher = createPasswordHasher({ concurrency: 2, queueLimit: 64, anyOldHash: async () => undefined, log });
const salt = "c2FsdHNhbHRzYWx0c2FsdA";
const digest = "A".repeat(43);
const bcrypt = "Q1t13EvbFsx5PafRqwfxpumFGHMiGxW7/2UiENtvJMrlEOaHznbju";

describe("a password hash of another system", () => {
  test.each(foreignHashes)("P-20 is verified, and to be renewed: $name", async ({ password, hash }) => {
    expect(readStoredHash(hash)).toMatchObject({ excess: undefined });
    expect(await hasher.verify(hash, password, stranger)).toEqual({ valid: true, outdated: true });
    expect(await hasher.verify(hash, `not ${password}`, stranger)).toEqual({ valid: false, outdated: false });
  });

  test.each(foreignHashes)("P-20 is masked in the log, with its salt and keys: $name", ({ hash }) => {
    const lines: string[] = [];
    const written = createLog({
      format: "json",
      level: "error",
      clock: systemClock,
      secrets: [],
      write: (line) => void lines.push(line),
    });
    written.error(`the row ${hash} is old`, { detail: `it is ${hash}.` });
    const parts = hash.split(/[$,]/).filter((part) => part.length > 14);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.filter((part) => lines.join().includes(part))).toEqual([]);
    expect(lines.join()).toContain("is old");
  });

  test("P-20 bcrypt counts 72 bytes of a password, as it does everywhere else", async () => {
    const [hash = ""] = foreignHashes.filter(({ name }) => name.includes("72 bytes")).map((made) => made.hash);
    expect((await hasher.verify(hash, "é".repeat(40), stranger)).valid).toBe(true);
    expect((await hasher.verify(hash, "é".repeat(35), stranger)).valid).toBe(false);
  });

  test.each([
    ["bcrypt", `$2b$15$${bcrypt}`],
    ["PBKDF2", `$pbkdf2-sha256$2000001$${salt}$${digest}`],
    ["PBKDF2 of Django", `pbkdf2_sha256$2000001$salt$${digest}`],
    ["the memory of scrypt", `$scrypt$ln=18,r=8,p=1$${salt}$${digest}`],
    ["the memory of scrypt of Django", `scrypt$131072$salt$16$1$${digest}`],
    ["the memory of scrypt in parallel", `$scrypt$ln=1,r=1,p=2097152$${salt}$${digest}`],
    ["the work of scrypt", `$scrypt$ln=17,r=8,p=5$${salt}$${digest}`],
    ["the memory of Firebase's scrypt", `$fbscrypt$v=1,n=20,r=8,p=1,sk=${digest}$${salt}$${digest}`],
    ["the memory of Argon2", `$argon2id$v=19$m=131073,t=1,p=1$${salt}$${digest}`],
    ["the passes of Argon2", `$argon2id$v=19$m=65536,t=17,p=1$${salt}$${digest}`],
    ["the threads of Argon2", `$argon2id$v=19$m=65536,t=1,p=17$${salt}$${digest}`],
  ])("P-21 is not checked when %s would cost too much", async (_, hash) => {
    expect(readStoredHash(hash)?.excess).toMatch(/^has an? .* of [\d.]+, and at most \d+ is taken$|^has .* of /);
    expect(await hasher.verify(hash, "a long walk by the sea", stranger)).toEqual({ valid: false, outdated: false });
  });

  test.each([
    ["is so short that others match it by chance", `$pbkdf2-sha256$1000$${salt}$AAAA`],
    ["has no iterations", `$pbkdf2-sha256$0$${salt}$${digest}`],
    ["is of an algorithm that is none for passwords", "md5$uXulaD5FTcZjhSeaxboy77$1163483810586309d706982a7dc08034"],
    ["is of the broken crypt_blowfish", `$2x$10$${bcrypt}`],
    ["is cut off", `$2b$10$${bcrypt.slice(1)}`],
    ["is followed by something", `$2b$10$${bcrypt}\n`],
    ["is one that stands for no password", "!SmriLlCfGCfG003aZuZURicThr4hLz0RvNJndM8U"],
    ["is far too long", `$pbkdf2-sha256$1000$${salt}$${"A".repeat(2_000)}`],
  ])("P-21 is none when it %s", (_, hash) => {
    expect(readStoredHash(hash)).toBeUndefined();
  });

  test.each([
    ["scrypt", `$scrypt$ln=0,r=8,p=1$${salt}$${digest}`],
    ["scrypt of small blocks", `$scrypt$ln=16,r=1,p=1$${salt}$${digest}`],
    ["scrypt of Django", `scrypt$1000$salt$8$1$${digest}`],
    ["bcrypt", `$2b$03$${bcrypt}`],
    ["Argon2", `$argon2id$v=19$m=1,t=1,p=1$${salt}$${digest}`],
  ])("P-21 is not checked with parameters that %s does not know", (_, hash) => {
    expect(readStoredHash(hash)?.excess).toMatch(/does not know$/);
  });
});

describe("the time of a refusal", () => {
  /** Makes a pace that notes how long it would have slept, at a time that the test sets. */
  function paceAt(tryOne: (learn: (tookMs: number) => void) => void = () => undefined) {
    const state = { now: 0, asked: 0, slept: 0 };
    const pace = createEvenPace({
      async tryOne() {
        state.asked += 1;
        tryOne(pace.learn);
      },
      log,
      now: () => state.now,
      sleep: async (ms) => void (state.slept = ms),
    });
    const waited = async (tookMs: number): Promise<number> => {
      state.slept = 0;
      await pace.keep(tookMs);
      return state.slept;
    };
    return { state, learn: pace.learn, waited };
  }

  test("P-22 is that of the slowest kind of hash which accounts have, whatever hash was checked", async () => {
    const { learn, waited } = paceAt();
    expect(await waited(30)).toBe(0);
    learn(250);
    expect(await waited(30)).toBe(220);
    expect(await waited(250)).toBe(0);
    learn(60);
    expect(await waited(30)).toBe(250 * 0.95 - 30);
  });

  test("P-22 stays bounded, and comes down again once such hashes are checked faster", async () => {
    const { learn, waited } = paceAt();
    learn(60_000);
    expect(await waited(0)).toBe(3_000);
    for (let check = 0; check < 200; check += 1) learn(100);
    expect(await waited(30)).toBe(70);
  });

  test("P-22 is found out by the first refusal, and asked for each minute while no such hash is known", async () => {
    const { state, waited } = paceAt((learn) => state.now >= 120_000 && learn(250));
    for (const now of [0, 30_000, 59_000, 60_000, 119_000]) {
      state.now = now;
      expect(await waited(30)).toBe(0);
    }
    expect(state.asked).toBe(2);
    state.now = 120_000;
    expect(await waited(30)).toBe(220);
    state.now = 400_000;
    await waited(30);
    expect(state.asked).toBe(3);
  });

  test("P-22 of an account that does not exist is that of one with an old hash, from the first refusal on", async () => {
    const old = await Bun.password.hash("a long walk by the sea", { algorithm: "bcrypt", cost: 13 });
    const fresh = createPasswordHasher({ concurrency: 2, queueLimit: 64, anyOldHash: async () => old, log });
    const startedAt = performance.now();
    expect((await fresh.verify(null, "a long walk by the sea", stranger)).valid).toBe(false);
    // On the fastest machine bcrypt of that cost takes longer than this, and a check of our own a fifth of it.
    expect(performance.now() - startedAt).toBeGreaterThan(150);
  });
});
