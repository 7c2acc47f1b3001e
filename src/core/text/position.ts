import type { Millis } from "../clock.ts";
import { FieldFault } from "../fields.ts";
import { isId } from "../ids.ts";

/** The position of a row in an order by time and then by id: a page begins after it. */
export interface Position {
  readonly at: Millis;
  readonly id: string;
}

/** Writes a position for addresses and answers, where clients treat it as opaque. */
export const writePosition = ({ at, id }: Position): string => `${at}.${id}`;

/** Returns undefined for a text that is no position. */
export function readPosition(text: string): Position | undefined {
  const [, at, id = ""] = /^(\d{1,16})\.(.{36})$/.exec(text) ?? [];
  return at === undefined || !isId(id) ? undefined : { at: Number(at), id };
}

/** The form of a position as a JSON Schema pattern, for the API reference. */
export const positionPattern = "^[0-9]{1,16}[.][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** The fault of a position that no page gave out. */
export const unknownPosition = new FieldFault("invalid_value", "must be the `next` of an earlier page");
