import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readFile } from "node:fs/promises";
import { HostFailure, kernelCode } from "../system/index.ts";
import { topologies } from "../files/settings.ts";

const Record = Type.Object({
  topology: Type.Union(topologies.map((name) => Type.Literal(name))),
  /** Path → SHA-256 of the text that was installed there and, during an installation, of the text about to be written. */
  files: Type.Record(Type.String(), Type.Array(Type.String())),
  /** Units that an installation has ever enabled: if one is disabled now, an operator decided that. */
  enabled: Type.Array(Type.String()),
  /** False while an installation writes: the next one then continues where that one broke off. */
  finished: Type.Boolean(),
});

/** The deeds of an app's installations on a host, by which the next one recognises an operator's changes. */
export type InstallRecord = Static<typeof Record>;

export const recordPath = (app: string): string => `/etc/gatehouse/installed.${app}.json`;

/** Resolves to undefined if the app was never installed. */
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
