import type { Millis } from "../clock.ts";
import { FieldFault } from "../fields.ts";
import { isId } from "../ids.ts";

/** The place of a row among rows that are ordered by time, and by id at the same time: a page begins after it. */
export interface Position {
  readonly at: Millis;
  readonly id: string;
}

/** As it stands in addresses and answers, where it is opaque to whoever gets it. */
export const writePosition = ({ at, id }: Position): string => `${at}.${id}`;

/** Undefined for what is none. */
export function readPosition(text: string): Position | undefined {
  const [, at, id = ""] = /^(\d{1,16})\.(.{36})$/.exec(text) ?? [];
  return at === undefined || !isId(id) ? undefined : { at: Number(at), id };
}

/** The same form for the API reference, as a pattern of JSON Schema. */
export const positionPattern = "^[0-9]{1,16}[.][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** What is wrong with a position that no page gave out. */
export const unknownPosition = new FieldFault("invalid_value", "must be the `next` of an earlier page");
