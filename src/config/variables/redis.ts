import { percentDecoded } from "../../core/address/url.parts.ts";
import { textThat, text } from "./kinds/kinds.ts";
import { variablesOf, type Section } from "./kinds/variable.ts";

const redis = variablesOf("Redis");

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
const redisUrl = textThat(
  isRedisUrl,
  "must be a URL such as rediss://user:password@host:6379/0, with special characters of the password percent-encoded",
);

/** The Redis of one resource, or of all others of its family. */
export const ownRedis = <const Name extends string>(of: ReturnType<typeof variablesOf>, name: Name, whose: string) =>
  of(name, redisUrl, {
    optional: true,
    secret: true,
    description: `${whose}, where it is not the one that REDIS_URL names`,
  });

export const redisVariables = {
  url: redis("REDIS_URL", redisUrl, {
    optional: true,
    secret: true,
    description:
      "Redis or Valkey of every driver redis that names none of its own: redis://user:password@host:6379/0, with TLS rediss://…",
  }),
  caFile: redis("REDIS_CA_FILE", text, {
    optional: true,
    description: "PEM file of the authorities that sign the certificates of rediss:// servers: those of the system",
  }),
} as const satisfies Section;
