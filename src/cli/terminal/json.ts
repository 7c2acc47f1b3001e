import { harmless } from "./columns.ts";

/** `--json` of a command that answers one thing. */
export const jsonObject = { type: "boolean", description: "Print one object of JSON" } as const;

/** `--json` of a command that lists: one row a line (NDJSON), so that a program can read them as they come. */
export const jsonLines = { type: "boolean", description: "Print one object of JSON a line (NDJSON)" } as const;

/** One line. JSON itself does not escape DEL and the C1 controls, which a terminal would obey. */
export const jsonLine = (value: object): string => harmless(JSON.stringify(value));

/** The output for `--json` of a list, the empty text for none. */
export const jsonOf = (rows: readonly object[]): string => rows.map(jsonLine).join("\n");
