import { afterEach, beforeEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { auth, mailTo } from "../support/auth.ts";
import { createClient, type Client } from "../support/client.ts";
import { folderOfEachTest } from "../support/folder.ts";
import { eventually } from "../support/log.ts";
import { openRows } from "../support/rows.ts";
import { startMailbox, type Mailbox } from "../support/smtp.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../support/target.ts";

const folder = folderOfEachTest();
endTargetsAfterEach();

const seconds = Number(process.env["GATEHOUSE_ABUSE_SECONDS"] ?? 10);
if (!(seconds >= 1 && seconds <= 3_600)) throw new Error("GATEHOUSE_ABUSE_SECONDS must be between 1 and 3600");
/** The most requests that a mailbox's owner may make in an hour, and the most notices of one kind. */
const mostRequested = 12;
const mostNotices = 5;
const mostGrowthBytes = 10 * 1024 * 1024;
const password = "a walk by the sea";

let mailbox: Mailbox;
beforeEach(async () => {
  mailbox = await startMailbox();
});
afterEach(async () => mailbox.stop());

const anyAddress = (): string => `203.0.113.${1 + Math.floor(Math.random() * 250)}`;
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const requested = new Set(["Reset your password", "Verify your email"]);

interface Account {
  readonly email: string;
  readonly client: Client;
}

async function registered(target: Target, email: string, address: string): Promise<Account> {
  const client = createClient(target.url);
  expect((await client.post(auth("register"), { email, password }, from(address))).status).toBe(200);
  return { email, client };
}

async function proven(target: Target, email: string, address: string): Promise<Account> {
  const account = await registered(target, email, address);
  const [, token = ""] = /token=([\w-]+)/.exec((await mailbox.next(email, 60_000)).text) ?? [];
  expect((await account.client.post(auth("email-verification/confirm"), { token }, from(address))).status).toBe(200);
  return account;
}

/** A browser at another process, which sends the cookies that it has. */
function elsewhere({ url }: Target, client: Client): Client {
  const other = createClient(url);
  for (const name of ["auth_access", "auth_refresh", "auth_device"]) {
    const value = client.cookie(name);
    if (value !== undefined) other.setCookie(name, value);
  }
  return other;
}

const sizeOf = (path: string): number =>
  ["", "-wal"].reduce((sum, suffix) => {
    const found = statSync(`${path}${suffix}`, { throwIfNoEntry: false });
    return sum + (found?.size ?? 0);
  }, 0);

/** Counts answers by status. */
function tally() {
  const counts = new Map<number, number>();
  return {
    add: (status: number): void => void counts.set(status, (counts.get(status) ?? 0) + 1),
    of: (status: number): number => counts.get(status) ?? 0,
    total: (): number => [...counts.values()].reduce((sum, count) => sum + count, 0),
    summary: (): string =>
      [...counts]
        .toSorted()
        .map(([status, count]) => `${status}×${count}`)
        .join(" "),
  };
}

test(
  "L-39 eight kinds of abuse at once keep no owner out, flood no mailbox and fill no disk, and leave nothing behind",
  async () => {
    const databasePath = join(folder(), "app.db");
    const env = {
      ...mailTo(mailbox),
      APP_URL: "http://127.0.0.1:3000",
      DB_DATABASE: databasePath,
      API_TRUSTED_PROXIES: "127.0.0.0/8",
      AUTH_PASSWORD_RESET_RETURN_TOKEN: "false",
      AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "false",
    };
    const start = (roles: readonly ("http" | "worker" | "scheduler")[], migrate = false) =>
      startTarget({ env, roles, ownProcess: true, migrate });
    const one = await start(["http"], true);
    const [two, worker] = await Promise.all([start(["http"]), start(["worker", "scheduler"])]);
    const apis = [one, two] as const;
    const anyApi = (): Target => apis[Math.random() < 0.5 ? 0 : 1];

    const ada = await proven(one, "ada@example.test", "192.0.2.1");
    const grace = await proven(two, "grace@example.test", "192.0.2.2");
    const mallory = await proven(one, "mallory@example.test", "192.0.2.3");
    const eve = await registered(one, "somebody.else@example.test", "192.0.2.4");
    await mailbox.next(eve.email, 60_000);
    const before = sizeOf(databasePath);

    const until = performance.now() + seconds * 1_000;
    const repeat = async (restMs: number, act: () => Promise<void>): Promise<void> => {
      while (performance.now() < until) {
        await act();
        await Bun.sleep(restMs);
      }
    };
    let malloryKnows = password;
    const abuse: readonly (() => Promise<void>)[] = [
      // Wrong passwords for a known account, from many addresses.
      () =>
        repeat(20, async () => {
          const form = { login: ada.email, password: "not the password" };
          await createClient(anyApi().url).post(auth("login"), form, from(anyAddress()));
        }),
      // Unknown names from one address, many at once.
      async () => {
        const one = () =>
          repeat(0, async () => {
            const form = { login: `nobody.${crypto.randomUUID()}@example.test`, password: "whatever it is" };
            await createClient(anyApi().url).post(auth("login"), form, from("198.51.100.1"));
          });
        await Promise.all(Array.from({ length: 40 }, one));
      },
      // Resets for somebody else.
      () =>
        repeat(30, async () => {
          await createClient(anyApi().url).post(
            auth("password-reset/request"),
            { login: ada.email },
            from(anyAddress()),
          );
        }),
      // Registrations of an address that has an account.
      () =>
        repeat(150, async () => {
          await createClient(anyApi().url).post(auth("register"), { email: ada.email, password }, from(anyAddress()));
        }),
      // A new address that belongs to a stranger.
      () =>
        repeat(100, async () => {
          const form = { email: "victim@example.test", current_password: malloryKnows };
          await mallory.client.post(auth("profile"), form, from("192.0.2.3"));
          await mallory.client.post(auth("profile"), { email: mallory.email }, from("192.0.2.3"));
        }),
      // Changes of a password, each of which sends a mail.
      () =>
        repeat(300, async () => {
          const next = `${password} ${Math.random()}`;
          const form = { current_password: malloryKnows, new_password: next };
          if ((await mallory.client.post(auth("change-password"), form, from("192.0.2.3"))).status === 200)
            malloryKnows = next;
        }),
      // Verification mails to a stranger's address.
      () =>
        repeat(50, async () => void (await eve.client.post(auth("email-verification/request"), {}, from("192.0.2.4")))),
      // Invented cookies.
      () =>
        repeat(40, async () => {
          const forger = createClient(anyApi().url);
          for (const name of ["auth_device", "auth_refresh", "auth_access"])
            forger.setCookie(name, crypto.randomUUID());
          await forger.post(auth("refresh"), {}, from(anyAddress()));
          await forger.post(auth("login"), { login: ada.email, password: "not the password" }, from(anyAddress()));
        }),
    ];
    const known = tally();
    const stranger = tally();
    const times: number[] = [];
    const owners = [
      // The right password, in a browser that has signed in before.
      repeat(700, async () => {
        const browser = elsewhere(anyApi(), ada.client);
        known.add((await browser.post(auth("login"), { login: ada.email, password }, from("192.0.2.1"))).status);
      }),
      // The right password of an account that nobody attacks, in a new browser at an address of its own.
      repeat(400, async () => {
        const began = performance.now();
        const browser = createClient(anyApi().url);
        stranger.add((await browser.post(auth("login"), { login: grace.email, password }, from("192.0.2.2"))).status);
        times.push(performance.now() - began);
      }),
    ];
    await Promise.all([...abuse.map((begin) => begin()), ...owners]);

    const rows = openRows(databasePath);
    await eventually("every mail to be sent", () => rows.count("jobs") === 0, 60_000);
    const grown = sizeOf(databasePath) - before;
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
    const byRecipient = Map.groupBy(mailbox.all(), ({ recipients, subject }) => `${recipients.join()}: ${subject}`);
    const mails = [...byRecipient].map(([kind, { length }]) => [kind, length] as const);
    process.stdout.write(
      `      ${seconds} s, known browser ${known.summary()}, others ${stranger.summary()} (p95 ${Math.round(p95)} ms), ` +
        `${mailbox.all().length} mails, grown by ${Math.round(grown / 1024)} KiB\n`,
    );

    expect(known.summary()).toBe(`200×${known.total()}`);
    expect(known.total()).toBeGreaterThan(seconds / 4);
    expect(stranger.of(200) / stranger.total()).toBeGreaterThanOrEqual(0.95);
    const tooMany = mails.filter(([kind, count]) => {
      const subject = kind.slice(kind.indexOf(": ") + 2);
      return count > (requested.has(subject) ? mostRequested + 1 : mostNotices);
    });
    expect(tooMany).toEqual([]);
    expect(grown).toBeLessThan(mostGrowthBytes);

    // An hour later everything is as before: nobody is locked, and a link requested during the flood works.
    rows.letPass(3_600_000);
    rows.close();
    const later = createClient(one.url);
    expect((await later.post(auth("login"), { login: ada.email, password }, from("192.0.2.77"))).status).toBe(200);
    expect((await later.post(auth("password-reset/request"), { login: ada.email }, from("192.0.2.77"))).status).toBe(
      200,
    );
    const links = () =>
      mailbox
        .all()
        .filter(({ subject, recipients }) => subject === "Reset your password" && recipients.includes(ada.email));
    const sent = links().length;
    await eventually("a new link", () => links().length > sent, 60_000);
    const [, token = ""] = /token=([\w-]+)/.exec(links().at(-1)?.text ?? "") ?? [];
    const reset = await later.post(
      auth("password-reset/confirm"),
      { token, new_password: "another walk by the sea" },
      from("192.0.2.77"),
    );
    expect(reset.status).toBe(200);
    expect(await Promise.all([one, two, worker].map((target) => target.stop()))).toEqual([0, 0, 0]);
  },
  seconds * 1_000 + 180_000,
);
