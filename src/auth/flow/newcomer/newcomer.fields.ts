import { isFault } from "../../../core/fields.ts";
import { composed } from "../../../core/text/text.ts";
import { usernameKey } from "../../user/identifiers.ts";
import { imageUrl } from "../../user/profile.fields.ts";

const longestName = 48;
const longestDisplayName = 200;

/** Turns a text of a provider into a possible user name; undefined when no character of it fits. */
export function wishedName(text: string | undefined): string | undefined {
  const fit = (text ?? "")
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]|\p{DI}/gu, "")
    .replace(/^[^\p{L}\p{N}]+/u, "");
  const name = [...fit].slice(0, longestName).join("").trim();
  return usernameKey(name) === undefined ? undefined : name;
}

/** Turns a text of a provider into a display name on one line; it may be empty. */
export const shownName = (text: string): string =>
  [...composed(text.toWellFormed()).replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")]
    .slice(0, longestDisplayName)
    .join("")
    .trim();

/** Returns the picture's address, or null where it can't be used: a bad picture is no reason to refuse a person. */
export function usablePicture(avatarUrl: string | undefined): string | null {
  if (avatarUrl === undefined || avatarUrl.length > 2048) return null;
  const url = imageUrl(avatarUrl);
  return isFault(url) ? null : url;
}
