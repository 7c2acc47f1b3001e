import { invalidFields } from "../errors.ts";
import { unknownPosition } from "./position.ts";

/** The place of a row in an order by a text and then by id: a page begins after it. */
export interface Place {
  readonly key: string;
  readonly id: string;
}

/** The form of a cursor as a JSON Schema pattern, for the API reference. */
export const cursorPattern = "^[A-Za-z0-9_-]+$";
const form = new RegExp(cursorPattern);

/** Opaque to clients. */
export const cursorOf = ({ key, id }: Place): string => Buffer.from(JSON.stringify([id, key])).toString("base64url");

/** Throws `invalid_payload` for a text that is no cursor. */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    // Decoding would skip every other character.
    const place: unknown = form.test(cursor) && JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(place) && typeof place[0] === "string" && typeof place[1] === "string")
      return { id: place[0], key: place[1] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidFields({ cursor: unknownPosition });
}
