import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { locked, taken } from "./locked.ts";

// Asks the registry for the days of releases that are new in the lockfiles, and writes them into released.json under today's.
const Times = Type.Record(Type.String(), Type.String());

async function dayOf(id: string): Promise<string> {
  const at = id.lastIndexOf("@");
  const asked = Bun.spawn([process.execPath, "info", id.slice(0, at), "time", "--json"], { timeout: 60_000 });
  const day = Value.Parse(Times, await new Response(asked.stdout).json())[id.slice(at + 1)];
  if (day === undefined) throw new Error(`the registry knows no day for ${id}`);
  return day.slice(0, 10);
}

const today = new Date().toISOString().slice(0, 10);
const known = new Set(taken.map(({ id }) => id));
const byDay = new Map<string, Record<string, string>>();
const note = (day: string, id: string, released: string): void => {
  byDay.set(day, { ...byDay.get(day), [id]: released });
};
for (const each of taken) if (locked.has(each.id)) note(each.taken, each.id, each.released);
for (const id of [...locked].toSorted()) if (!known.has(id)) note(today, id, await dayOf(id));
await Bun.write(join(import.meta.dir, "released.json"), `${JSON.stringify(Object.fromEntries(byDay), null, 2)}\n`);
