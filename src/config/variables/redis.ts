import { percentDecoded } from "../../core/address/url.parts.ts";
import { textThat, text } from "./kinds/kinds.ts";
import { serverPlaces } from "./kinds/server.places.ts";
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

const sentinelName = textThat(
  (value) => /^[\w.-]{1,128}$/.test(value),
  "must be 1 to 128 letters, digits or . _ -, as in sentinel monitor NAME",
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
  sentinels: {
    places: redis("REDIS_SENTINELS", serverPlaces, {
      optional: true,
      description:
        "Redis Sentinels, as host:port with commas between: a URL with the name of REDIS_SENTINEL_NAME in place of host and port leads to the primary that they name",
    }),
    name: redis("REDIS_SENTINEL_NAME", sentinelName, {
      optional: true,
      description:
        "Name by which the sentinels know the primary, such as mymaster; REDIS_URL is then rediss://user:password@mymaster/0",
    }),
    username: redis("REDIS_SENTINEL_USERNAME", text, {
      optional: true,
      description: "User at the sentinels: their default user",
    }),
    password: redis("REDIS_SENTINEL_PASSWORD", text, {
      optional: true,
      secret: true,
      description: "Password at the sentinels, which have none of the servers' own",
    }),
  },
} as const satisfies Section;
