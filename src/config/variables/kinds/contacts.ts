import { accepts, list, type Kind } from "./kinds.ts";

const mailAddress = /^[^\s@,:/?#]+@[^\s@,:/?#]+$/;

const uriOf = (entry: string): string | undefined => {
  if (mailAddress.test(entry)) return `mailto:${entry}`;
  const isKnown = /^(?:https:\/\/|mailto:|tel:)[!-~]+$/.test(entry) && URL.canParse(entry);
  return isKnown ? entry : undefined;
};

/** Whom to write to, as URIs (RFC 9116 §2.5.3). */
export const contacts: Kind<readonly string[]> = {
  complaint: accepts(
    (value) => list.read(value).every((entry) => uriOf(entry) !== undefined),
    "must be mail addresses or https URLs, comma-separated",
  ),
  read: (value) => list.read(value).flatMap((entry) => uriOf(entry) ?? []),
  lines: "items",
};
