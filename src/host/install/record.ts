import { Type, type Static } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";
import { HostFailure } from "../system/index.ts";
import { topologies } from "../files/settings.ts";
import { readIfThere } from "./settings.plan.ts";

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
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const record = jsonAs(Record, text);
  if (record !== undefined) return record;
  throw new HostFailure(
    `${path} is not what an installation wrote`,
    "remove it, then run this again: files that differ from this release then count as edited, and are kept",
  );
}

export const recordText = (record: InstallRecord): string => `${JSON.stringify(record, null, 1)}\n`;
