import { copyFileSync } from "node:fs";
import { areas, elsewhere, type Area } from "../support/areas.ts";
import { count, ms, percent, percentile, type Part } from "./findings.ts";
import { startGatehouse } from "./gatehouse.ts";
import { openConnection, post } from "./http.connection.ts";
import type { Population } from "./population.ts";
import type { Server } from "./workspace.ts";

const guessers = 80;
/** How many people there are of each kind: at a browser that the account knows, and at one that it does not know. */
const peopleOfAKind = 8;
const pauseMs = 1_000;
/** Time for the limits and the queue to fill. */
const warmUpMs = 3_000;
const seconds = 20;
const loginPath = "/api/v1/auth/login";

interface SignIns {
  readonly share: number;
  readonly p95Ms: number;
  readonly answers: ReadonlyMap<number, number>;
}

interface Round {
  readonly area: string;
  readonly guesses: ReadonlyMap<number, number>;
  readonly known: SignIns;
  readonly unknown: SignIns;
}

/** Measures whether people get in with the right password while many connections guess, with the default limits. */
export const crowds: Part = {
  name: "crowds",
  limitSeconds: 240,
  async run({ workspace, population }) {
    const people = await population(10_000);
    const rounds: Round[] = [];
    for (const [name, area] of [["nobody", undefined] as const, ...Object.entries(areas)]) {
      // Each round starts with no failure counted.
      const path = workspace.path(`crowd-${rounds.length}.db`);
      copyFileSync(people.path, path);
      const env = { API_TRUSTED_PROXIES: "127.0.0.1/32" };
      const server = await startGatehouse(workspace, "gatehouse-crowds", path, { env });
      rounds.push({ area: name, ...(await round(server, people, area)) });
      await server.stop();
    }
    const attacked = rounds.filter(({ area }) => area !== "nobody");
    const block = attacked.filter(({ area }) => area === "one /56");
    const isQuick = ({ p95Ms }: SignIns): boolean => p95Ms <= 1_000;
    return {
      measures: [
        {
          measure: `sign-ins of known browsers, p95, while ${guessers} connections guess from ${attacked.map(({ area }) => area).join(", ")}`,
          goal: "≥ 99 %; ≤ 1 s",
          measured: attacked.map(({ known }) => inWords(known)).join("; "),
          met: attacked.every(({ known }) => known.share >= 0.99 && isQuick(known)),
        },
        {
          measure: "the same: of browsers that the account does not know",
          goal: "≥ 90 % against a /56",
          measured: attacked.map(({ unknown }) => inWords(unknown)).join("; "),
          met: block.every(({ unknown }) => unknown.share >= 0.9),
        },
      ],
      raw: rounds.map(
        ({ area, guesses, known, unknown }) =>
          `crowds, ${area}: guesses ${tally(guesses)}; known ${inWords(known)} (${tally(known.answers)}); unknown ${inWords(unknown)} (${tally(unknown.answers)})`,
      ),
    };
  },
};

const inWords = ({ share, p95Ms }: SignIns): string => `${percent(share)}, ${ms(p95Ms)}`;
const tally = (answers: ReadonlyMap<number, number>): string =>
  [...answers].map(([status, times]) => `${status}: ${count(times)}`).join(", ");

async function round(server: Server, people: Population, area: Area | undefined): Promise<Omit<Round, "area">> {
  const guesses = new Map<number, number>();
  let isOver = false;
  let sent = 0;

  async function guess(from: Area): Promise<void> {
    const connection = await openConnection(server.port);
    while (!isOver) {
      sent += 1;
      const body = { login: `nobody.${sent}`, password: "not the password" };
      const { status } = await connection.send(post(loginPath, body, undefined, from(sent)));
      guesses.set(status, (guesses.get(status) ?? 0) + 1);
    }
    connection.close();
  }

  const devices = await Promise.all(
    Array.from({ length: peopleOfAKind }, (_, index) => deviceOf(server, people, index)),
  );
  const guessing = area === undefined ? [] : Array.from({ length: guessers }, () => guess(area));
  try {
    await Bun.sleep(warmUpMs);
    const [known, unknown] = await Promise.all([
      signIns(server, people, { first: 0, devices }),
      signIns(server, people, { first: peopleOfAKind, devices: [] }),
    ]);
    return { guesses, known, unknown };
  } finally {
    isOver = true;
    await Promise.all(guessing);
  }
}

/** Returns the device cookie of a browser that has signed in once, before there was anybody else. */
async function deviceOf(server: Server, { credentials }: Population, index: number): Promise<string> {
  const connection = await openConnection(server.port);
  const { setCookies } = await connection.send(post(loginPath, credentials(index), undefined, elsewhere(index)));
  connection.close();
  const device = setCookies.find((cookie) => cookie.startsWith("auth_device="));
  if (device === undefined) throw new Error("a sign-in has given no device cookie");
  return device.slice(0, device.indexOf(";"));
}

/** Measures sign-ins: each person signs in, reads for a second, and repeats. */
async function signIns(
  server: Server,
  { credentials }: Population,
  { first, devices }: { readonly first: number; readonly devices: readonly string[] },
): Promise<SignIns> {
  const answers = new Map<number, number>();
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1_000;

  async function person(index: number): Promise<void> {
    const connection = await openConnection(server.port);
    await Bun.sleep((index / peopleOfAKind / 2) * pauseMs);
    while (performance.now() < until) {
      const started = performance.now();
      const request = post(loginPath, credentials(index), devices[index - first], elsewhere(index));
      const { status } = await connection.send(request);
      latencies.push(performance.now() - started);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      await Bun.sleep(pauseMs);
    }
    connection.close();
  }

  await Promise.all(Array.from({ length: peopleOfAKind }, (_, index) => person(first + index)));
  return { share: (answers.get(200) ?? 0) / latencies.length, p95Ms: percentile(latencies, 0.95), answers };
}
