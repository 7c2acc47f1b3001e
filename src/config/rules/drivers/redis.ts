import { isAbsolute } from "node:path";
import { hostOf } from "../../../core/address/url.parts.ts";
import { webhookQueuePrefix } from "../../../core/naming.ts";
import type { Config } from "../../config.ts";
import { defaultResource } from "../../reader.ts";
import { isLoopbackHost } from "../hosts.ts";
import { isDeployed, thatHold, type Judged } from "../judged.ts";
import { settingOf } from "./resources.ts";

interface Settings {
  readonly driver: string;
  readonly url: string | undefined;
}

/** Resources whose driver can be `redis`, with the names of their variables. */
const redisResources = ({ cache, events, queue }: Config) => [
  ...resourcesIn("CACHE", cache),
  ...resourcesIn("EVENTS", events),
  ...resourcesIn("QUEUE", queue.resources),
];

const resourcesIn = (family: "CACHE" | "EVENTS" | "QUEUE", resources: Readonly<Record<string, Settings>>) =>
  Object.entries(resources).map(([resource, { driver, url }]) => ({
    resource,
    isRedis: driver === "redis",
    url,
    driverName: settingOf(family, resource, "DRIVER"),
    urlName: settingOf(family, resource, "URL"),
    urlVariable: resource === defaultResource ? (`${family}_URL` as const) : (`${family}_<NAME>_URL` as const),
  }));

/** The URLs that are set, with the names of their variables. */
const redisUrls = (config: Config) =>
  [
    { urlName: "REDIS_URL", url: config.redis.url },
    ...redisResources(config).map(({ urlName, url }) => ({ urlName, url })),
  ].flatMap(({ urlName, url }) => (url === undefined ? [] : [{ urlName, url }]));

/** Whether REDIS_URL is set, and refused by its own rule. */
const isUrlRefused = ({ reader, config }: Judged): boolean =>
  config.redis.url === undefined && reader.isSet("REDIS_URL");

function problemsOfCaFile(judged: Judged): readonly string[] {
  const { config } = judged;
  const { caFile } = config.redis;
  if (caFile === undefined) return [];
  if (!isUrlRefused(judged) && !redisUrls(config).some(({ url }) => url.startsWith("rediss:")))
    return ["REDIS_CA_FILE is set, and no URL begins with rediss: without TLS there is nothing to verify"];
  return isDeployed(config) && !isAbsolute(caFile) ? ["REDIS_CA_FILE must be an absolute path"] : [];
}

/** Variables that say something of sentinels, and nothing without them. */
const ofSentinels = ["REDIS_SENTINEL_NAME", "REDIS_SENTINEL_USERNAME", "REDIS_SENTINEL_PASSWORD"] as const;

function problemsOfSentinels(judged: Judged): readonly string[] {
  const { reader, config } = judged;
  const { name, username, password } = config.redis.sentinels;
  if (!reader.isSet("REDIS_SENTINELS"))
    return ofSentinels.filter((each) => reader.isSet(each)).map((each) => `${each} is set, and REDIS_SENTINELS is not`);
  const urls = redisUrls(config).filter(({ url }) => hostOf(new URL(url)) === name);
  const isNamed = reader.isSet("REDIS_SENTINEL_NAME");
  return [
    ...thatHold([
      !isNamed && "REDIS_SENTINELS needs REDIS_SENTINEL_NAME: the name by which they know the primary",
      username !== undefined && password === undefined && "REDIS_SENTINEL_USERNAME needs REDIS_SENTINEL_PASSWORD",
      name !== undefined &&
        urls.length === 0 &&
        !isUrlRefused(judged) &&
        "REDIS_SENTINELS is set, and no URL leads to them: REDIS_URL has the name of REDIS_SENTINEL_NAME in place of host and port, such as rediss://user:password@mymaster/0",
    ]),
    ...urls
      .filter(({ url }) => new URL(url).port !== "")
      .map(({ urlName }) => `${urlName} has a port behind the name of REDIS_SENTINEL_NAME: the sentinels say the port`),
  ];
}

/** Finds contradictions about Redis, whatever APP_ENV. */
export function redisProblems(judged: Judged): readonly string[] {
  const { reader, config } = judged;
  const places = redisResources(config).flatMap(({ resource, isRedis, driverName, urlName, urlVariable }) => {
    const hasUrl = reader.isSet(urlVariable, resource);
    if (isRedis && !hasUrl && !reader.isSet("REDIS_URL")) return [`${driverName}=redis needs REDIS_URL or ${urlName}`];
    return hasUrl && !isRedis ? [`${urlName} is set, and ${driverName} is not redis`] : [];
  });
  const taken = Object.keys(config.queue.resources)
    .filter((name) => name.startsWith(webhookQueuePrefix))
    .map((name) => `${settingOf("QUEUE", name, "DRIVER")}: queues whose names begin with webhook belong to webhooks`);
  return [...places, ...taken, ...problemsOfSentinels(judged), ...problemsOfCaFile(judged)];
}

/** Whether a URL may lead out of this machine without TLS: to its host, or to where sentinels lead, be they on this machine or not. */
function isPlain(url: string, { name, places }: Config["redis"]["sentinels"]): boolean {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "redis:") return false;
  return (places !== undefined && hostOf(parsed) === name) || !isLoopbackHost(parsed);
}

/** Warns of URLs that lead to another machine without TLS. */
export function redisWarnings(config: Config): readonly string[] {
  const used = redisResources(config).filter(({ isRedis }) => isRedis);
  const shared = used.some(({ url }) => url === undefined) ? [["REDIS_URL", config.redis.url] as const] : [];
  return [...shared, ...used.map(({ urlName, url }) => [urlName, url] as const)].flatMap(([name, url]) =>
    url !== undefined && isPlain(url, config.redis.sentinels)
      ? [`${name} is not rediss://: its password, and all that is kept there, travel in the clear`]
      : [],
  );
}
