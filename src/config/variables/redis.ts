import { percentDecoded } from "../../core/address/url.parts.ts";
import { accepts, text, type Kind } from "./kinds/kinds.ts";
import type { Section } from "./kinds/variable.ts";

function isRedisUrl(value: string): boolean {
  const parsed = URL.parse(value);
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === "") return false;
  const { username, password, pathname, search, hash } = parsed;
  const isWhole = /^(?:\/\d{0,5})?$/.test(pathname) && `${search}${hash}` === "";
  return (
    isWhole &&
    (username === "" || password !== "") &&
    [username, password].every((part) => percentDecoded(part) !== undefined)
  );
}

/** A Redis URL. A user needs a password; a password alone is the default user's. The path is the number of a database. */
export const redisUrl: Kind<string> = {
  complaint: accepts(
    isRedisUrl,
    "must be a URL such as rediss://user:password@host:6379/0, with special characters of the password percent-encoded",
  ),
  read: (value) => value,
};

export const redisVariables = {
  url: {
    group: "Redis",
    name: "REDIS_URL",
    kind: redisUrl,
    optional: true,
    secret: true,
    description:
      "Redis or Valkey of every driver redis that names none of its own: redis://user:password@host:6379/0, with TLS rediss://…",
  },
  caFile: {
    group: "Redis",
    name: "REDIS_CA_FILE",
    kind: text,
    optional: true,
    description: "PEM file of the authorities that sign the certificates of rediss:// servers: those of the system",
  },
} as const satisfies Section;
