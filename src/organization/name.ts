import { FieldFault } from "../core/fields.ts";

/**
 * Characters that nobody sees and that change what is seen: marks of direction, which turn the text around a name, and spaces without a
 * width. The two joiners are parts of words in some scripts, and of emoji.
 */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Says what is wrong with the name of an organization, by which people tell whose invitation they have; undefined where nothing is. */
export function nameFault(name: string): FieldFault | undefined {
  return invisible.test(name) || !visible.test(name)
    ? new FieldFault("invalid_characters", "must be a name that can be seen, without invisible characters")
    : undefined;
}
