import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readFile } from "node:fs/promises";
import { HostFailure, kernelCode } from "../system/index.ts";
import { topologies } from "../files/settings.ts";

const Record = Type.Object({
  topology: Type.Union(topologies.map((name) => Type.Literal(name))),
  /** Path → SHA-256 of the text that was installed there, and of the one that an installation under way is about to write. */
  files: Type.Record(Type.String(), Type.Array(Type.String())),
  /** Units that an installation has enabled once: whoever disables one has decided so. */
  enabled: Type.Array(Type.String()),
  /** False while an installation writes: the next one then goes on where that one was broken off. */
  finished: Type.Boolean(),
});

/** What installations of an app have done on a host, by which the next one knows what an operator has changed since. */
export type InstallRecord = Static<typeof Record>;

export const recordPath = (app: string): string => `/etc/gatehouse/installed.${app}.json`;

/** Undefined where the app was never installed. */
export async function readRecord(path: string): Promise<InstallRecord | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (kernelCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value = parsed(text);
  if (Value.Check(Record, value)) return value;
  throw new HostFailure(
    `${path} is not what an installation wrote`,
    "remove it, then run this again: files that differ from this release then count as edited, and are kept",
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const recordText = (record: InstallRecord): string => `${JSON.stringify(record, null, 1)}\n`;
