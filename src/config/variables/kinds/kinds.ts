import { addressFamily } from "../../../core/address/address.family.ts";
import { accentComplaint, readAccent, type Accent } from "../../../core/text/accent.ts";
import { isBlock } from "../../../core/address/address.ts";
import { hasBech32Checksum } from "../../../core/text/bech32.ts";
import { hour, minute } from "../../../core/clock.ts";
import { parseDuration } from "../../../core/text/duration.ts";
import { readPostgresUrl } from "../../../core/address/postgres.url.ts";

/** A kind of value: the rule that a variable's text must follow, and the value that `Config` makes of it. */
export interface Kind<Value> {
  /** Says why a value breaks the rule. The value itself is never repeated: it may be a secret in the wrong place. */
  readonly complaint: (value: string) => string | undefined;
  /** Reads a value that the rule accepts, and the empty text of an unset variable without a default. */
  readonly read: (value: string) => Value;
  /** How a value from a file may have several lines: kept as they are, or one item of a list a line. */
  readonly lines?: "kept" | "items";
}

export const accepts =
  (fits: (value: string) => boolean, complaint: string) =>
  (value: string): string | undefined =>
    fits(value) ? undefined : complaint;

export const text: Kind<string> = { complaint: () => undefined, read: (value) => value };

/** A text that is kept as it is written. */
export const textThat = (fits: (value: string) => boolean, complaint: string): Kind<string> => ({
  complaint: accepts(fits, complaint),
  read: (value) => value,
});

const splitList = (value: string): readonly string[] =>
  value
    .split(value.includes("\n") ? "\n" : ",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** A name for subjects of mails and for pages, on one line. */
export const productName = textThat(
  (value) => /^[^\p{C}\p{Zl}\p{Zp}<>]{1,60}$/u.test(value),
  "must be a name of 1 to 60 characters",
);

/** One colour, or two for light and dark pages. */
export const accent: Kind<Accent> = { complaint: accentComplaint, read: readAccent };

/** A list: one item a line if there are several lines, otherwise items with commas between. */
export const list: Kind<readonly string[]> = { complaint: () => undefined, read: splitList, lines: "items" };

export const choice = <const Choice extends string>(first: Choice, ...others: readonly Choice[]): Kind<Choice> => {
  const choices = [first, ...others];
  return {
    complaint: accepts((value) => choices.some((each) => each === value), `must be one of ${choices.join(", ")}`),
    read: (value) => choices.find((each) => each === value) ?? first,
  };
};

const flags: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

export const flag: Kind<boolean> = {
  complaint: accepts((value) => flags.has(value), "must be true or false"),
  read: (value) => flags.get(value) ?? false,
};

/** A level from 0, which is off, to 3. */
export const debugLevel: Kind<number> = {
  complaint: accepts(
    (value) => flags.has(value) || /^[0-3]$/.test(value),
    "must be true, false or a level from 0 to 3",
  ),
  read: (value) => (value === "true" ? 1 : value === "false" ? 0 : Number(value)),
};

export const integer = (min: number, max: number): Kind<number> => ({
  complaint(value) {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? undefined : `must be a whole number from ${min} to ${max}`;
  },
  read: Number,
});

export const count = integer(1, 1_000_000);
export const port = integer(0, 65_535);

export const ratio: Kind<number> = {
  complaint: accepts((value) => /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(value), "must be a number from 0 to 1"),
  read: Number,
};

/** The longest duration: ten years, so that a date so far ahead can still be written. */
const longestMs = 87_600 * hour;
const inWords = (ms: number): string => (ms % hour === 0 ? `${ms / hour}h` : `${ms / minute}m`);

/** A duration, read as milliseconds. */
export const duration = (minMs: number, maxMs: number = longestMs): Kind<number> => ({
  complaint(value) {
    const ms = parseDuration(value);
    if (ms === undefined) return "must be a duration such as 15m, 1h30m or 720h";
    if (ms < minMs) return minMs === 1 ? "must be longer than nothing" : `must be at least ${minMs}ms`;
    return ms > maxMs ? `must not exceed ${inWords(maxMs)}` : undefined;
  },
  read: (value) => parseDuration(value) ?? 0,
});

export const positiveDuration = duration(1);
/**
 * An age public key, https://age-encryption.org/v1. The checksum is verified: otherwise a typing error would show only when a backup is
 * needed.
 */
export const ageRecipient = textThat(
  (value) => /^age1[a-z0-9]{50,4000}$/.test(value) && hasBech32Checksum(value),
  "must be a public key of age, age1…, as age-keygen prints it",
);
/** The lifetime of mailed links: somebody who gets into a mailbox later must find none that still works (OWASP ASVS 6.5.5). */
export const mailedTokenLifetime = duration(1, 24 * hour);
/**
 * The lifetime of links for a first password: days, as that of invitations, since nobody waits for such a mail. They end with the first
 * password, so that a mailbox keeps none that opens an account in use.
 */
export const firstPasswordLifetime = duration(minute, 30 * 24 * hour);
/** The lifetime of mailed codes. Since a code alone signs in, it lasts less long (OWASP ASVS 6.5.5 asks for ten minutes). */
export const mailedCodeLifetime = duration(minute, hour);
/** The time for a shutdown: no supervisor waits longer than an hour. */
export const shutdownTime = duration(0, hour);

function isHttpUrl(value: string): boolean {
  const parsed = URL.parse(value);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  return `${parsed.username}${parsed.password}${parsed.search}${parsed.hash}` === "";
}
const urlComplaint = accepts(isHttpUrl, "must be an http or https URL without credentials, query or fragment");

export const url: Kind<URL> = { complaint: urlComplaint, read: (value) => new URL(value) };
/** A URL kept as written. */
export const urlText: Kind<string> = { complaint: urlComplaint, read: (value) => value };

export const postgresUrl: Kind<string> = {
  complaint(value) {
    const address = readPostgresUrl(value);
    return typeof address === "string" ? address : undefined;
  },
  read: (value) => value,
};

const hostName = /^(?=.{1,253}$)(?:[\w](?:[\w-]{0,61}\w)?\.)*(?!\d+$)\w(?:[\w-]{0,61}\w)?$/;

/** An address or name to listen on. A text that ends in a number is an address or a mistake, such as 127.0.0.256. */
export const host = textThat(
  (value) => addressFamily(value) !== 0 || hostName.test(value),
  "must be an IP address or the name of a host",
);

/** Returns a domain as browsers write it: lower case, in ASCII. */
const domainOf = (value: string): string | undefined =>
  /^[^\s/?#@:\\]+$/.test(value) ? URL.parse(`http://${value}`)?.hostname : undefined;

function isDomain(value: string): boolean {
  const domain = domainOf(value) ?? "";
  return addressFamily(domain) === 0 && hostName.test(domain);
}

/** The name of a host, without a dot at either end. */
export const domain: Kind<string> = {
  complaint: accepts(isDomain, "must be a domain such as example.com, no address and no URL"),
  read: (value) => domainOf(value) ?? "",
};

/** Domains of mail addresses, each once. */
export const domains: Kind<readonly string[]> = {
  // What is set and names none would let everybody in, where it was to let in few.
  complaint: (value) =>
    list.read(value).length > 0 && list.read(value).every((each) => isDomain(each) && each.includes("."))
      ? undefined
      : "must be domains such as example.com, no addresses and no URLs",
  read: (value) => [...new Set(list.read(value).map((each) => domainOf(each) ?? ""))],
  lines: "items",
};

/** The name of a version that people see seldom and programs send back. */
export const termsVersion = textThat(
  (value) => /^[\w.-]{1,64}$/.test(value),
  "must be 1 to 64 letters, digits or . _ -",
);

/** Says why a text is not the origin of a page as browsers send it (RFC 6454 §6.2). */
function originFlaw(value: string): string | undefined {
  if (value.includes("*")) return "has a wildcard";
  const parsed = URL.parse(value);
  if (parsed === null || !/^https?:\/\/[^\s@]/i.test(value)) return "is no http or https origin";
  const { hostname } = parsed;
  if (hostname.endsWith(".")) return "has a dot at the end of its host";
  if (!hostname.startsWith("[") && addressFamily(hostname) === 0 && !hostName.test(hostname))
    return "has no name of a host";
  return /^[^/]+\/\/[^/?#\\@]+$/.test(value) ? undefined : "has more than scheme, host and port";
}

/** Origins as browsers write them: lower case, no default port, no slash at the end. */
export const origins: Kind<readonly string[]> = {
  complaint(value) {
    const flaws = splitList(value).map(originFlaw);
    const wrong = flaws.findIndex((flaw) => flaw !== undefined);
    if (wrong === -1) return undefined;
    return `must be a list of exact origins such as https://app.example.com: number ${wrong + 1} ${flaws[wrong]}`;
  },
  read: (value) => [...new Set(splitList(value).map((each) => new URL(each).origin))],
};

const address = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;
const namedAddress = /^[^<>\p{Cc}]{0,100}<([^<>]+)>$/u;

export const email = textThat((value) => address.test(value), "must be an email address");

/** An address, or a name followed by the address in angle brackets. */
export const mailbox = textThat(
  (value) => address.test(namedAddress.exec(value)?.[1] ?? value),
  "must be an email address, with or without a name",
);

export const cidrBlocks: Kind<readonly string[]> = {
  complaint: accepts((value) => splitList(value).every(isBlock), "must be a list of CIDR blocks"),
  read: splitList,
};

const tenant = /^(?:common|organizations|consumers|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/i;

export const microsoftTenant: Kind<string> = {
  complaint: accepts(
    (value) => tenant.test(value),
    "must be common, organizations, consumers or the id (UUID) of a tenant",
  ),
  read: (value) => value.toLowerCase(),
};
