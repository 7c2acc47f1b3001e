import { second } from "../../core/clock.ts";
import { placeInUrl } from "../../core/address/url.parts.ts";
import { readRedisUrl } from "./address.ts";
import { RedisUnavailable, type RedisSentinels } from "./index.ts";
import { createRedisLink, type RedisLink } from "./link.ts";
import { createSentinels, type NamedPrimary } from "./sentinels.ts";

interface PrimaryOptions {
  readonly url: string;
  readonly sentinels: RedisSentinels;
  readonly ca: string | undefined;
}

/** With the time for the sentinels less than the two seconds that readiness gives to a check. */
const connectMs = 0.6 * second;
const probeMs = 0.6 * second;
/** After this time in use a connection is checked, beside what is sent on it. */
const checkMs = second;
/** After this time without a check nothing is sent before there was one. */
const trustMs = 5 * second;

const addressOf = (url: string): string => new URL(url).host;

/**
 * Keeps a connection to the server that the sentinels name. Asks them before each connection and every second while it is used, also while
 * a read waits: what goes to an earlier primary, which was cut off together with this process or was replaced, is lost. While no sentinel
 * can be asked, a connection to a server that calls itself primary stays.
 */
export function createPrimaryLink({ url, sentinels: settings, ca }: PrimaryOptions): Pick<RedisLink, "send" | "close"> {
  const { tls, database } = readRedisUrl(url);
  const sentinels = createSentinels({ ...settings, tls, ca });
  let known: NamedPrimary | undefined;
  let checkedAt = 0;
  let checking: Promise<void> | undefined;
  let waits = 0;

  const urlOf = ({ place }: NamedPrimary): string => {
    const named = new URL(url);
    named.host = placeInUrl(place);
    return named.href;
  };

  function remark(): string {
    if (known === undefined) return "";
    const { answered, hasQuorum } = known;
    const state = hasQuorum ? "and name no other primary" : "too few to choose another primary";
    return `; ${answered} of ${settings.places.length} sentinels answer, ${state}`;
  }

  const link = createRedisLink({
    async find() {
      known = undefined;
      known = await sentinels.find();
      checkedAt = performance.now();
      return urlOf(known);
    },
    named: (at) => `Redis at ${addressOf(at)}/${database}, the primary ${settings.name}: `,
    remark,
    ca,
    connectMs,
    probeMs,
    primaryAlone: true,
  });

  async function check(): Promise<void> {
    const before = link.url();
    try {
      known = await sentinels.find();
      if (link.url() !== before || before === undefined) return;
      if (urlOf(known) !== before) link.leave();
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) throw error;
    }
    // Behind a read that waits the question would wait as well. A server ends such reads itself when it becomes a replica.
    if (waits === 0) await link.checkRole().catch(noteNothing);
    checkedAt = performance.now();
  }

  const checkOnce = (): Promise<void> =>
    (checking ??= check().finally(() => {
      checking = undefined;
    }));

  return {
    async send(command, args, withinMs = second) {
      const age = performance.now() - checkedAt;
      if (link.url() !== undefined && age > checkMs) {
        const checked = checkOnce();
        if (age > trustMs) await checked;
      }
      if (withinMs <= checkMs) return link.send(command, args, withinMs);
      waits += 1;
      const checks = setInterval(() => void checkOnce(), checkMs);
      try {
        return await link.send(command, args, withinMs);
      } finally {
        clearInterval(checks);
        waits -= 1;
      }
    },
    close() {
      link.close();
      sentinels.close();
    },
  };
}

/** The link has left the server by then, and what is sent next says why. */
function noteNothing(): void {}
