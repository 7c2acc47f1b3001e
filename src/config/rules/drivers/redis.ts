import { isAbsolute } from "node:path";
import { webhookQueuePrefix } from "../../../core/naming.ts";
import type { Config } from "../../config.ts";
import { defaultResource } from "../../reader.ts";
import { isLoopbackHost } from "../hosts.ts";
import { isDeployed, type Judged } from "../judged.ts";
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

function problemsOfCaFile({ reader, config }: Judged): readonly string[] {
  const { caFile, url } = config.redis;
  if (caFile === undefined) return [];
  const urls = [url, ...redisResources(config).map((each) => each.url)];
  const isRefused = url === undefined && reader.isSet("REDIS_URL");
  if (!isRefused && !urls.some((each) => each?.startsWith("rediss:")))
    return ["REDIS_CA_FILE is set, and no URL begins with rediss: without TLS there is nothing to verify"];
  return isDeployed(config) && !isAbsolute(caFile) ? ["REDIS_CA_FILE must be an absolute path"] : [];
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
  return [...places, ...taken, ...problemsOfCaFile(judged)];
}

const isPlain = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed?.protocol === "redis:" && !isLoopbackHost(parsed);
};

/** Warns of URLs that lead to another machine without TLS. */
export function redisWarnings(config: Config): readonly string[] {
  const used = redisResources(config).filter(({ isRedis }) => isRedis);
  const shared = used.some(({ url }) => url === undefined) ? [["REDIS_URL", config.redis.url] as const] : [];
  return [...shared, ...used.map(({ urlName, url }) => [urlName, url] as const)].flatMap(([name, url]) =>
    url !== undefined && isPlain(url)
      ? [`${name} is not rediss://: its password, and all that is kept there, travel in the clear`]
      : [],
  );
}
