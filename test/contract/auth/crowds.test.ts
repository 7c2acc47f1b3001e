import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { areas, elsewhere, from, type Area } from "../../support/areas.ts";
import { openAddress } from "../../support/address.ts";
import { auth, inParallel, type Person } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";

const wrong = "not the password";
const proxied = { API_TRUSTED_PROXIES: "127.0.0.1/32" };
let names = 0;
const newName = (): string => `nobody.${(names += 1)}`;

// Only the queue holds the attackers back: the limits by address are those of `calm`.
const narrow = { AUTH_PASSWORD_HASH_CONCURRENCY: "1", AUTH_PASSWORD_HASH_QUEUE: "8" };
const { target, rows, people } = await stage({ env: { ...proxied, ...narrow } });
afterEach(() => void rows.forgive());
const wire = openAddress(target.url, "127.0.0.1");
afterAll(() => wire.close());

const login = async (name: string, password: string, address: string, device?: string): Promise<number> => {
  const headers = { ...from(address), ...(device === undefined ? {} : { cookie: `auth_device=${device}` }) };
  return (await wire.post(auth("login"), { login: name, password }, headers)).status;
};
const deviceOf = ({ client }: Person): string => client.cookie("auth_device") ?? "";

/** Sends wrong passwords from an area over many connections while the work runs. Resolves to the result and the answers. */
async function during<T>(area: Area, work: () => Promise<T>): Promise<{ result: T; answers: Map<number, number> }> {
  const answers = new Map<number, number>();
  let sent = 0;
  let isOver = false;
  const attackers = Array.from({ length: 40 }, async () => {
    while (!isOver) {
      const status = await login(newName(), wrong, area((sent += 1)));
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  });
  try {
    // The queue is full from here on.
    while ((answers.get(503) ?? 0) < 20) await Bun.sleep(10);
    return { result: await work(), answers };
  } finally {
    isOver = true;
    await Promise.all(attackers);
  }
}

const crowd = await Promise.all(Array.from({ length: 4 }, () => people.register("ada")));
/** Signs in each person of the crowd again and again. Resolves to the number of successes. */
async function signIn(times: number, browser: (person: Person, index: number) => Promise<number>): Promise<number> {
  const statuses: number[] = [];
  await inParallel(crowd.length, [...crowd.entries()], async ([index, person]) => {
    for (let time = 0; time < times; time += 1) statuses.push(await browser(person, index));
  });
  return statuses.filter((status) => status === 200).length;
}
const byKnown = (person: Person, index: number) =>
  login(person.email, person.password, elsewhere(index), deviceOf(person));
const byUnknown = (person: Person, index: number) => login(person.email, person.password, elsewhere(index));

describe("while strangers fill the queue of passwords", () => {
  test.each(Object.entries(areas))("L-80 known browsers are let in: %s", async (_, area) => {
    const { result } = await during(area, () => signIn(5, byKnown));
    expect(result).toBe(20);
  });

  test.each([
    ["one /64", areas["one /64"]],
    ["one /56", areas["one /56"]],
    ["one /48", areas["one /48"]],
    ["one /24", (number: number) => `192.0.2.${number % 256}`],
    ["one /16", (number: number) => `203.0.${number % 256}.9`],
  ])("L-81 a block of addresses takes turns as one with those outside: %s", async (_, area) => {
    const { result } = await during(area, () => signIn(5, byUnknown));
    expect(result).toBe(20);
  });

  test("L-80 the browser of another account, and one that has used up its tries, has no place of its own", async () => {
    const mallory = await people.register("mallory");
    const { result } = await during(areas["700 IPv4 addresses"], () =>
      signIn(10, (person, index) => login(person.email, person.password, elsewhere(index), deviceOf(mallory))),
    );
    expect(result).toBeLessThan(40);
  });

  test("L-80 a session that is asked for its password, and the link of a mail, have a place", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const next = "another walk by the sea";
    const { result } = await during(areas["700 IPv4 addresses"], async () => {
      const statuses: number[] = [];
      for (let time = 0; time < 10; time += 1)
        statuses.push((await ada.client.post(auth("reauthenticate"), { current_password: ada.password })).status);
      const body = { current_password: grace.password, new_password: next };
      statuses.push((await grace.client.post(auth("change-password"), body)).status);
      return statuses;
    });
    expect(result).toEqual(Array<number>(11).fill(200));
  });
});

test("L-82 one account fills one place of those that are kept: its other browsers take turns with strangers", async () => {
  const [mallory, ada] = [await people.register("mallory"), await people.register("ada")];
  let isOver = false;
  // More requests come at once than there are places, each with a proof of the same account.
  const devices = await Promise.all(
    Array.from({ length: 12 }, async () => (await mallory.login()).cookie("auth_device") ?? ""),
  );
  const flood = devices.map(async (device, index) => {
    const area = areas["700 IPv4 addresses"];
    while (!isOver) await login(mallory.email, mallory.password, area(index), device);
  });
  const statuses: number[] = [];
  try {
    await Bun.sleep(300);
    for (let time = 0; time < 15; time += 1)
      statuses.push(await login(ada.email, ada.password, elsewhere(1), deviceOf(ada)));
  } finally {
    isOver = true;
    await Promise.all(flood);
  }
  expect(statuses).toEqual(Array<number>(15).fill(200));
}, 60_000);
