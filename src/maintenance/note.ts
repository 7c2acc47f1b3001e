import { Type, type Static } from "@sinclair/typebox";
import { jsonAs } from "../core/text/json.ts";

/** The text that is stored while maintenance is on. Any text means on; a note also says who switched it, when and why. */
const Note = Type.Object({
  since: Type.Number(),
  /** The id of the member of staff; null for a command. */
  by: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
  /** The reason, for other members of staff. */
  message: Type.String({ maxLength: 200 }),
});
export type MaintenanceNote = Readonly<Static<typeof Note>>;

export const longestMessage = 200;

export const writeNote = (note: MaintenanceNote): string => JSON.stringify(note);

/** Reads a stored note. Returns undefined for the text of an earlier release, which says only that maintenance is on. */
export const readNote = (text: string | undefined): MaintenanceNote | undefined =>
  text === undefined ? undefined : jsonAs(Note, text);
