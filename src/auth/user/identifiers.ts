import { domainToASCII } from "node:url";

// DI is Default_Ignorable_Code_Point: invisible characters would make two names look like one.
const atom = /^[^\s@"(),:;<>[\]\\\p{C}\p{DI}]+$/u;
// Checked before domainToASCII, which reads a host as that of a URL: it decodes percent signs and drops everything after a slash.
const labels = /^(?!.*\p{DI})[\p{L}\p{M}\p{N}.\u3002-]+$/u;

const domainForm = String.raw`[^\s@.。．｡]+([.。．｡][^\s@.。．｡]+)+`;
/**
 * The form of an address as a JSON Schema pattern, for the API reference: every address has it. `emailKey` has the last word on the letters
 * of its domain, which may be international.
 */
export const emailPattern = String.raw`^[^\s@"(),:;<>\[\]\\.]+(\.[^\s@"(),:;<>\[\]\\.]+)*@${domainForm}$`;

/** The form of a domain, for the API reference. */
export const domainPattern = `^${domainForm}$`;

/** Returns the one form in which the domain of an address is compared: lower case, in ASCII (IDNA). Undefined where mail can't go to it. */
export function domainKey(domain: string): string | undefined {
  const unicodeHost = domain.normalize("NFC").normalize("NFKC").toLowerCase();
  const host = labels.test(unicodeHost) ? domainToASCII(unicodeHost) : "";
  const isDomain = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host);
  return isDomain ? host : undefined;
}

/** Returns the domain of an address in its compared form. */
export const domainOfKey = (key: string): string => key.slice(key.lastIndexOf("@") + 1);

/**
 * Returns the one form in which an address is compared and unique: NFC, lower case, domain in ASCII (IDNA). Undefined when mail can't be
 * sent to it.
 */
export function emailKey(text: string): string | undefined {
  const [local, domain, ...rest] = text.normalize("NFC").split("@");
  if (local === undefined || domain === undefined || rest.length > 0) return undefined;
  // The compared form is the one that is judged: a full-width @ becomes an ordinary one only there.
  const name = local.normalize("NFKC").toLowerCase();
  if (name.length > 64 || !atom.test(name) || name.startsWith(".") || name.endsWith(".") || name.includes("..")) {
    return undefined;
  }
  const host = domainKey(domain);
  return host === undefined ? undefined : `${name}@${host}`;
}

/**
 * Returns whether the local part is compared in another spelling than the one that mail is sent to, which may be another mailbox: an
 * account with full-width letters would take the address of somebody who writes ordinary ones. No account gets such an address; an account
 * that has one from an earlier release goes on signing in. A user name may look like another: it is unique in its compatible form, and
 * nothing is sent to it.
 */
export function isLookAlike(email: string): boolean {
  const local = email.normalize("NFC").split("@")[0] ?? "";
  return local.toLowerCase() !== local.normalize("NFKC").toLowerCase();
}

/**
 * Returns where mail to a user goes: the local part as it was typed, because only the server that gets the mail knows which spellings are
 * one mailbox, and the domain in ASCII, because only that form can be looked up.
 */
export const mailAddress = ({ email, emailKey: key }: { email: string; emailKey: string }): string =>
  `${email.slice(0, email.indexOf("@"))}${key.slice(key.indexOf("@"))}`;

/** Returns the one form in which a user name is compared and unique: NFKC, lower case. An address is a name only of its own account. */
export function usernameKey(text: string): string | undefined {
  if (text.includes("@")) return emailKey(text);
  const key = text.normalize("NFKC").toLowerCase();
  return /^(?!.*\p{DI})[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._ -]{0,62}[\p{L}\p{N}\p{M}._-])?$/u.test(key) ? key : undefined;
}

/** Letters that Unicode does not decompose, as they are typed where a keyboard lacks them. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ð: "d",
  ħ: "h",
  ł: "l",
  ø: "o",
  œ: "oe",
  þ: "th",
  ŧ: "t",
};

/**
 * Nobody searches for more of a name. In a long text the marks of one letter take seconds to put in order, and one letter can become
 * eighteen: lists use this form to say where their next page begins.
 */
const mostFolded = 320;
const cut = (text: string): string => [...text].slice(0, mostFolded).join("");

/**
 * Returns the form in which display names are searched by their beginning, without regard to case, accents and width: Émilie is found as
 * "emilie", and Straße as "STRASSE". Upper case comes first, because it has one sigma where lower case has another at the end of a word.
 */
export const foldedName = (text: string): string =>
  cut(
    [...cut(text).normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase()]
      .map((character) => character.toLowerCase())
      .map((character) => plainLetters[character] ?? character)
      .join("")
      .replaceAll(/\s+/gu, " "),
  ).trim();

/** Returns the typed login in canonical form, so that every alias of an account meets the same counter. */
export function loginKey(text: string): { readonly email: string } | { readonly username: string } {
  const email = text.includes("@") ? emailKey(text) : undefined;
  return email === undefined ? { username: text.normalize("NFKC").toLowerCase() } : { email };
}
