import type { Static, TSchema } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";
import { wordsOf } from "../system/index.ts";
import type { HostView } from "./finding.ts";

/**
 * Runs a command of the current release as the services run, and reads the JSON object of each line. Returns its last line of text if it
 * fails, or with `mayFail` if it prints no such object.
 */
export async function rowsOf<Schema extends TSchema>(
  { app, system, places, current = "" }: HostView,
  schema: Schema,
  args: readonly string[],
  { mayFail = false } = {},
): Promise<readonly Static<Schema>[] | string> {
  const ran = await system.systemd.runAsService(app, [places.binaryOf(current), ...args, "--json"]);
  if (ran.code !== 0 && !mayFail) return wordsOf(ran).split("\n").at(-1) ?? "";
  // Any other line belongs to the log.
  const rows = ran.output.split("\n").map((line) => jsonAs(schema, line));
  const read = rows.filter((row) => row !== undefined);
  return ran.code !== 0 && read.length === 0 ? (wordsOf(ran).split("\n").at(-1) ?? "") : read;
}
