import { harmless } from "./columns.ts";

/** `--json` of a command with a single answer. */
export const jsonObject = { type: "boolean", description: "Print one object of JSON" } as const;

/** `--json` of a command that lists: one row a line (NDJSON), so that a program can read rows as they come. */
export const jsonLines = { type: "boolean", description: "Print one object of JSON a line (NDJSON)" } as const;

/** Returns one line. JSON itself does not escape DEL and the C1 controls, which a terminal would obey. */
export const jsonLine = (value: object): string => harmless(JSON.stringify(value));

/** Returns the output of a list with `--json`; empty for an empty list. */
export const jsonOf = (rows: readonly object[]): string => rows.map(jsonLine).join("\n");
