import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPasswords } from "../support/passwords.ts";
import { startTarget, type Target } from "../support/target.ts";
import { violations } from "./claims.ts";
import { createHistory, printHistory } from "./history.ts";
import { createPlayer, type Account, type Client } from "./player.ts";
import { programs, type Program } from "./program.ts";
import { longestSearchMs, searchOptions, searchSeconds } from "./search.ts";
import { createHttpService, type HttpService } from "./service.http.ts";

/** Wrong passwords are part of these tests, and one address sends everything. */
const patient = {
  AUTH_PASSWORD_RESET_RETURN_TOKEN: "true",
  AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_IP_LOGIN_FAILURES: "1000000",
};
/** How many resets one account asks for before another takes its place: the service sends ten an hour. */
const resetsPerAccount = 6;
const resetsAtMost = 4;

let folder: string;
let targets: readonly Target[] = [];
let services: readonly [HttpService, HttpService];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  const env = { ...patient, DB_DATABASE: join(folder, "app.db") };
  const one = await startTarget({ env, roles: ["http"], ownProcess: true });
  targets = [one];
  const two = await startTarget({ env, roles: ["http"], ownProcess: true, migrate: false });
  targets = [one, two];
  services = [createHttpService(one.url), createHttpService(two.url)];
}, 120_000);

afterAll(async () => {
  await Promise.all(targets.map((target) => target.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function registered(login: string): Promise<Account & { client: Client }> {
  const password = "a password at the start";
  const { opened: session, access, secret: refresh, reason } = await services[0].register(login, password);
  if (session === undefined || access === undefined || refresh === undefined)
    throw new Error(`not registered: ${reason}`);
  return { login, password, client: { name: login, cookies: { session, access, refresh } } };
}

const together = (tasks: readonly (() => Promise<unknown>)[]): Promise<unknown> =>
  Promise.all(tasks.map((task) => task()));

/** Plays the program with Ada's clients, while Grace goes on with her work. Resolves to what was wrong, to be read. */
async function play(program: Program, ada: Account, grace: Account & { client: Client }) {
  const history = createHistory(() => performance.now());
  const newPassword = createPasswords(() => Math.random().toString(36).slice(2));
  const options = { history, services, newPassword, pause: (ms: number) => Bun.sleep(ms), together };
  const adas = createPlayer({ ...options, account: ada });
  const graces = createPlayer({ ...options, account: grace });
  for (const { login: user, password: newPassword } of [ada, grace]) {
    history.given({ kind: "register", by: "the start", user, newPassword }, { outcome: "accepted" });
  }
  const { session: opened, access, refresh: secret } = grace.client.cookies;
  history.given({ kind: "login", by: "the start", user: grace.login }, { outcome: "accepted", opened, access, secret });

  const sessions = [...new Set(program.map(({ session }) => session))];
  const cookies = new Map<number, Client["cookies"]>();
  await together(
    sessions.map((place) => async () => {
      const client: Client = { name: `session ${place}`, cookies: { session: "", access: "", refresh: "" } };
      await adas.login(client, place);
      cookies.set(place, client.cookies);
    }),
  );
  const clients = program.flatMap(({ session }, index): Client[] => {
    const start = cookies.get(session);
    return start === undefined ? [] : [{ name: `ada ${index}`, cookies: start }];
  });
  const work: Program = [
    { session: 0, steps: [{ do: "hello" }, { do: "refresh" }, { do: "burst", of: ["fallback", "hello"] }] },
  ];
  await together([() => adas.run(program, clients), () => graces.run(work, [grace.client])]);
  await adas.close(clients);
  await graces.close([grace.client]);

  const { operations } = history;
  const found = violations(operations);
  for (const { answer } of operations) if (answer.outcome === "unknown") found.push(`no answer: ${answer.reason}`);
  return { operations, wrong: found.length === 0 ? "" : `${found.join("\n")}\n\n${printHistory(operations)}` };
}

test(
  "C-08 C-09 C-10 C-14 C-15 G-03 several clients of one user on two processes: nothing is accepted after its end, nothing ends without cause",
  async () => {
    const grace = await registered("grace@example.test");
    let accounts = 0;
    let ada: Account | undefined;
    let resets = 0;
    let count = { programs: 0, requests: 0 };
    const property = fc.asyncProperty(
      programs({ clients: { min: 2, max: 4 }, steps: 5, pauses: [1, 3, 10] }),
      async (program) => {
        const asked = program.flatMap(({ steps }) => steps).filter((step) => step.do === "reset-request").length;
        fc.pre(asked <= resetsAtMost);
        if (ada === undefined || resets + asked > resetsPerAccount) {
          ada = await registered(`ada${++accounts}@example.test`);
          resets = 0;
        }
        resets += asked;
        const { operations, wrong } = await play(program, ada, grace);
        if (wrong !== "") throw new Error(wrong);
        count = { programs: count.programs + 1, requests: count.requests + operations.length };
      },
    );
    // Two processes don't run the same way twice: a smaller program that passes proves nothing. A slow machine gets more time.
    for (let round = 0; round < 6 && count.programs <= 10; round += 1)
      await fc.assert(property, { ...searchOptions(searchSeconds(10)), endOnFailure: true });
    process.stdout.write(`${count.programs} programs, ${count.requests} requests\n`);
    expect(count.programs).toBeGreaterThan(10);
  },
  longestSearchMs,
);

test("C-08 of 50 refreshes with one secret sent to two processes at once exactly one is answered 200, and the burst goes on", async () => {
  const { client } = await registered("lin@example.test");
  const { access, refresh } = client.cookies;
  const both = services;
  const at = (index: number): HttpService => both[index % 2 === 0 ? 0 : 1];
  const [refreshes, fallbacks, hellos] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, (_, index) => at(index).refresh(refresh))),
    Promise.all(Array.from({ length: 20 }, (_, index) => at(index).fallback(refresh))),
    Promise.all(Array.from({ length: 20 }, (_, index) => at(index).hello(access))),
  ]);
  expect(refreshes.filter(({ outcome }) => outcome === "accepted")).toHaveLength(1);
  expect(refreshes.filter(({ reason }) => reason === "unauthorized")).toHaveLength(49);
  expect([...fallbacks, ...hellos].map(({ outcome }) => outcome)).toEqual(Array.from({ length: 40 }, () => "accepted"));
  const newest = refreshes.find(({ secret }) => secret !== undefined)?.secret ?? "";
  expect(await services[1].refresh(newest)).toMatchObject({ outcome: "accepted" });
});

test("G-03 of 100 redemptions of one reset token on two processes exactly one succeeds", async () => {
  const { login } = await registered("mary@example.test");
  const { grant = "" } = await services[0].requestReset(login);
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const password = `the chosen password ${index}`;
      return { password, answer: await services[index % 2 === 0 ? 0 : 1].confirmReset(grant, password) };
    }),
  );
  const winners = answers.filter(({ answer }) => answer.outcome === "accepted");
  expect(winners).toHaveLength(1);
  expect(new Set(answers.map(({ answer }) => answer.reason))).toEqual(new Set([undefined, "invalid_reset_token"]));
  expect(await services[1].login(login, winners[0]?.password ?? "")).toMatchObject({ outcome: "accepted" });
});
