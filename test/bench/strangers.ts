import { statSync } from "node:fs";
import { openAddress } from "../support/address.ts";
import { auth, calm, createPeople, separability } from "../support/auth.ts";
import { openRows } from "../support/rows.ts";
import { startTarget, type Target } from "../support/target.ts";

// Effects of strangers on logins, on loopback: `bun test/bench/strangers.ts timing|flood|disk [SECONDS or SAMPLES]`. timing: whether the
// time of a failed login tells known names from unknown ones. flood: 200 connections of one address with made-up names, beside people at
// other addresses. disk: how much the database grows meanwhile.
const [part = "flood", amount = ""] = process.argv.slice(2);
const wrong = "not the password";
const connections = 200;
let names = 0;
const newName = (): string => `nobody.${(names += 1)}`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const bytesOf = ({ databasePath }: Target): number =>
  ["", "-wal"].reduce((sum, end) => sum + (statSync(`${databasePath}${end}`, { throwIfNoEntry: false })?.size ?? 0), 0);

async function flood(seconds: number): Promise<boolean> {
  const target = await startTarget({ ownProcess: true });
  const people = createPeople(target.url);
  const crowd = await Promise.all(Array.from({ length: 8 }, () => people.register("ada")));
  const mallory = openAddress(target.url, "127.0.0.1");
  const before = bytesOf(target);
  const end = performance.now() + seconds * 1_000;
  const guesses = new Map<number, number>();
  const guessing = Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      const { status } = await mallory.post(auth("login"), { login: newName(), password: wrong });
      guesses.set(status, (guesses.get(status) ?? 0) + 1);
    }
  });
  const times: number[] = [];
  let served = 0;
  const refused = new Map<unknown, number>();
  const others = crowd.map(async ({ email, password }, index) => {
    const from = openAddress(target.url, `127.0.0.${index + 2}`);
    while (performance.now() < end) {
      const started = performance.now();
      const { status, code } = await from.post(auth("login"), { login: email, password });
      if (status === 200) served += 1;
      else refused.set(code, (refused.get(code) ?? 0) + 1);
      times.push(performance.now() - started);
      await Bun.sleep(500);
    }
    from.close();
  });
  await Promise.all([...guessing, ...others]);
  mallory.close();
  const grown = (bytesOf(target) - before) / 2 ** 20;
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  say(`${seconds} s, answers to the flood: ${[...guesses].map(([status, count]) => `${status}: ${count}`).join(", ")}`);
  say(`others: ${served} of ${times.length} served (goal 95 %), p95 ${Math.round(p95)} ms (goal 1,000)`);
  for (const [code, count] of refused) say(`others refused with ${String(code)}: ${count}`);
  say(`the database grew by ${grown.toFixed(1)} MiB (goal 10)`);
  await target.stop();
  return served / times.length >= 0.95 && p95 <= 1_000 && grown <= 10;
}

async function timing(samples: number): Promise<boolean> {
  const target = await startTarget({ env: calm, ownProcess: true, roles: ["http"] });
  const rows = openRows(target.databasePath);
  const ada = await createPeople(target.url).register("ada");
  const from = openAddress(target.url, "127.0.0.1");
  const taken: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let sample = -20; sample < samples; sample += 1) {
    const order = sample % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    for (const each of order) {
      rows.forgive();
      const started = performance.now();
      await from.post(auth("login"), { login: each === "known" ? ada.email : "eve1@example.test", password: wrong });
      if (sample >= 0) taken[each].push(performance.now() - started);
    }
  }
  from.close();
  rows.close();
  await target.stop();
  const area = separability(taken.unknown, taken.known);
  say(`${samples} samples each: area under the curve ${area.toFixed(3)} (goal within 0.45 and 0.55)`);
  return Math.abs(area - 0.5) < 0.05;
}

const parts: Readonly<Record<string, () => Promise<boolean>>> = {
  flood: () => flood(Math.min(3_600, Number(amount) || 60)),
  disk: () => flood(Math.min(3_600, Number(amount) || 300)),
  timing: () => timing(Math.min(10_000, Number(amount) || 2_000)),
};
const run = parts[part];
if (run === undefined) throw new Error(`unknown part ${part}`);
process.exitCode = (await run()) ? 0 : 1;
