import type { Static, TSchema } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";
import { wordsOf } from "../system/index.ts";
import type { HostView } from "./finding.ts";

/**
 * Runs a command of the current release as the services run, and reads the JSON object of each line. Returns its last line of text if it
 * fails.
 */
export async function rowsOf<Schema extends TSchema>(
  { app, system, places, current = "" }: HostView,
  schema: Schema,
  args: readonly string[],
): Promise<readonly Static<Schema>[] | string> {
  const ran = await system.systemd.runAsService(app, [places.binaryOf(current), ...args, "--json"]);
  if (ran.code !== 0) return wordsOf(ran).split("\n").at(-1) ?? "";
  // Any other line belongs to the log.
  const rows = ran.output.split("\n").map((line) => jsonAs(schema, line));
  return rows.filter((row) => row !== undefined);
}
