import { FieldFault, wrongType } from "../../core/fields.ts";
import type { Field } from "../../http/index.ts";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

type Container = JsonObject | Json[];

/** A change of a JSON object by RFC 7396; null empties it. */
export type MergePatch = JsonObject | null;

const mostBytes = 8 * 1024;
const deepest = 8;
/** A key that changes the prototype of an object wherever a program copies objects carelessly. */
const prototypeKey = "__proto__";

const tooLarge = new FieldFault("too_large", `must have at most ${mostBytes / 1024} KiB as compact JSON`);
const tooDeep = new FieldFault("too_deep", `must have at most ${deepest} levels, of which the object itself is one`);
const notExact = new FieldFault(
  "invalid_value",
  `must have no whole number beyond ${Number.MAX_SAFE_INTEGER}, which programs would round: send a text`,
);
const notText = new FieldFault("invalid_characters", "must have texts and names of whole Unicode characters");
const unsafeKey = new FieldFault("invalid_value", `must not have the name ${prototypeKey}`);

/** Tells an object of parsed JSON from its other values. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function faultOfScalar(value: unknown): FieldFault | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : notText;
  if (typeof value !== "number") return undefined;
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? undefined : notExact;
}

/** Finds what keeps a parsed value from being stored. Looks at one level after the other, so that depth costs no stack. */
function faultIn(value: JsonObject): FieldFault | undefined {
  let level: readonly Container[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > deepest) return tooDeep;
    const below: Container[] = [];
    for (const item of level)
      for (const [name, inner] of Object.entries<Json>(item)) {
        if (name === prototypeKey) return unsafeKey;
        const fault = name.isWellFormed() ? faultOfScalar(inner) : notText;
        if (fault !== undefined) return fault;
        if (typeof inner === "object" && inner !== null) below.push(inner);
      }
    level = below;
  }
  return undefined;
}

const readPatch = (value: unknown): MergePatch | FieldFault => {
  if (value === null) return null;
  return isObject(value) ? (faultIn(value) ?? value) : wrongType("an object of JSON, or null");
};

/** A field of a body that changes one of the account's JSON objects. */
export const mergePatchField = (description: string): Field<MergePatch | undefined> => ({
  schema: {
    type: ["object", "null"],
    additionalProperties: true,
    description: `${description} A merge patch (RFC 7396): null removes a name, and null for all of it empties it. The outcome has at most 8 KiB and 8 levels.`,
  },
  isOptional: true,
  read: (value) => (value === undefined ? undefined : readPatch(value)),
});

/** Copies own members alone, so that no name of the patch reaches a prototype. */
function merged(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, merged(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/** Applies a merge patch (RFC 7396 §2) to a stored object, and returns the text to store, or what is wrong with the outcome. */
export function patched(stored: string, patch: MergePatch): string | FieldFault {
  const outcome = patch === null ? {} : merged(readStored(stored), patch);
  const text = JSON.stringify(outcome);
  return Buffer.byteLength(text) > mostBytes ? tooLarge : text;
}

/** Returns a stored object. */
export function readStored(stored: string): JsonObject {
  const value: unknown = JSON.parse(stored);
  return isObject(value) ? value : {};
}

/** Returns a copy of an object that others have made, without members that would change a prototype. */
export const withoutPrototypes = (value: Readonly<Record<string, unknown>>): JsonObject => {
  const copy: unknown = JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
    name === prototypeKey ? undefined : inner,
  );
  return isObject(copy) ? copy : {};
};
