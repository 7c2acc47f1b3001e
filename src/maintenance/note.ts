import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** What is stored while maintenance is on: any text means on, and this one says more. */
const Note = Type.Object({
  since: Type.Number(),
  /** The id of the member of staff; null where a command did it. */
  by: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
  /** Why, for other members of staff. */
  message: Type.String({ maxLength: 200 }),
});
export type MaintenanceNote = Readonly<Static<typeof Note>>;

export const longestMessage = 200;

export const writeNote = (note: MaintenanceNote): string => JSON.stringify(note);

/** Undefined for what an earlier release has stored, which says no more than that maintenance is on. */
export function readNote(text: string | undefined): MaintenanceNote | undefined {
  if (text === undefined || !text.startsWith("{")) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Value.Check(Note, parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
