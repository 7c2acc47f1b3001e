import { addressFamily } from "../../core/address/address.family.ts";
import { second } from "../../core/clock.ts";
import { placeInUrl, type ServerPlace } from "../../core/address/url.parts.ts";
import { RedisUnavailable, type RedisSentinels } from "./index.ts";
import { createRedisLink, type RedisLink } from "./link.ts";

interface SentinelsOptions extends RedisSentinels {
  readonly tls: boolean;
  readonly ca: string | undefined;
}

/** The primary that sentinels name, and what of them there is. */
export interface NamedPrimary {
  readonly place: ServerPlace;
  /** How many sentinels have answered. */
  readonly answered: number;
  /** Whether enough sentinels are left to choose another primary. */
  readonly hasQuorum: boolean;
  /** Why the others do not answer; empty where all do. */
  readonly silent: string;
}

/** The answer of one sentinel. */
type Answer =
  | { readonly place: ServerPlace; readonly epoch: number; readonly hasQuorum: boolean }
  | { readonly place: undefined; readonly why: string };

/** How long all sentinels together may take: they are asked at once, so those that are away do not add up. */
const findMs = 0.4 * second;
/** How long the last ones are waited for once more than half name the same primary. */
const lastMs = 50;

const unknownName = "it knows no primary of this name";

const hostName = /^[a-z\d]([\w.-]*[a-z\d])?$/i;

/** Reads `["10.0.0.5", "6379"]`; undefined for the nothing that stands for an unknown name, and for what is no host with its port. */
function placeIn(reply: unknown): ServerPlace | undefined {
  const parts: readonly unknown[] = Array.isArray(reply) ? reply : [];
  const [host, port] = [parts[0], Number(parts[1])];
  const isHost = typeof host === "string" && (addressFamily(host) !== 0 || hostName.test(host));
  return isHost && Number.isInteger(port) && port > 0 && port <= 65_535 ? { host, port } : undefined;
}

/** Reads the number of the failover that made the primary: sentinels whose number is higher know more. */
function epochIn(reply: unknown): number {
  const epoch = typeof reply === "object" && reply !== null && "config-epoch" in reply ? reply["config-epoch"] : 0;
  return Number(epoch) || 0;
}

/** Returns a fallback for a reply that is an error: the user at the sentinels may lack the right. */
const orElse =
  <Value>(fallback: (reply: string) => Value) =>
  (error: unknown): Value => {
    if (error instanceof RedisUnavailable && error.reply !== undefined) return fallback(error.reply);
    throw error;
  };

function whyIn(error: unknown): string {
  if (!(error instanceof RedisUnavailable)) throw error;
  return /unknown command/.test(error.message) ? "it is no sentinel" : error.message;
}

/** Asks one sentinel. Never rejects for one that is away. */
async function ask(link: RedisLink, name: string): Promise<Answer> {
  const about = (command: string): Promise<unknown> => link.send("SENTINEL", [command, name], findMs);
  try {
    const [named, epoch, hasQuorum] = await Promise.all([
      about("GET-MASTER-ADDR-BY-NAME"),
      about("MASTER").then(
        epochIn,
        orElse(() => 0),
      ),
      about("CKQUORUM").then(
        () => true,
        orElse((reply) => reply !== "NOQUORUM"),
      ),
    ]);
    const place = placeIn(named);
    if (place !== undefined) return { place, epoch, hasQuorum };
    return { place, why: named === null ? unknownName : "what it names is no address with a port" };
  } catch (error) {
    return { place: undefined, why: whyIn(error) };
  }
}

type Named = Extract<Answer, { readonly epoch: number }>;
const isNamed = (answer: Answer): answer is Named => answer.place !== undefined;

function votesIn(answers: readonly Named[], { place }: Named): number {
  return answers.filter((each) => placeInUrl(each.place) === placeInUrl(place)).length;
}

/**
 * Orders answers by what speaks for them: the newest failover that a sentinel has heard of, whether it reaches enough others, and how many
 * say the same. A sentinel that is cut off together with an earlier primary still names that one.
 */
function best(answers: readonly Named[]): Named | undefined {
  const weightOf = (each: Named): readonly number[] => [each.epoch, Number(each.hasQuorum), votesIn(answers, each)];
  return answers.toSorted((one, another) => {
    const [these, those] = [weightOf(one), weightOf(another)];
    return those.map((weight, index) => weight - (these[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
  })[0];
}

/** Asks sentinels which server is primary, on a connection to each that stays open. */
export function createSentinels({ places, name, username, password, tls, ca }: SentinelsOptions) {
  const login = password === undefined ? "" : `${encodeURIComponent(username ?? "")}:${encodeURIComponent(password)}@`;
  const links = places.map((place) => ({
    place,
    link: createRedisLink({
      find: () => `redis${tls ? "s" : ""}://${login}${placeInUrl(place)}`,
      named: () => "",
      ca,
      connectMs: findMs,
      probeMs: findMs,
    }),
  }));

  /** The last answer of each sentinel, which may have come too late: it says why that one is silent. */
  const latest = new Map<number, Answer>();

  /** Resolves to the answers that came in time, by the sentinel's number. */
  async function askAll(): Promise<ReadonlyMap<number, Answer>> {
    const answers = new Map<number, Answer>();
    const isOver = Promise.withResolvers<void>();
    const timers = [setTimeout(isOver.resolve, findMs)];
    const asked = links.map(async ({ link }, index) => {
      const answer = await ask(link, name);
      latest.set(index, answer);
      answers.set(index, answer);
      const named = [...answers.values()].filter(isNamed);
      if (isNamed(answer) && votesIn(named, answer) > links.length / 2) timers.push(setTimeout(isOver.resolve, lastMs));
    });
    try {
      await Promise.race([Promise.all(asked), isOver.promise]);
      return new Map(answers);
    } finally {
      timers.forEach(clearTimeout);
    }
  }

  /** Says why sentinels name no primary: each reason once, with those that have it. */
  function reasonsWithout(answers: ReadonlyMap<number, Answer>): string {
    const silent = [...places.entries()].filter(([index]) => answers.get(index)?.place === undefined);
    const whyOf = (index: number): string => {
      const answer = latest.get(index);
      return answer === undefined || isNamed(answer) ? `no answer within ${findMs} ms` : answer.why;
    };
    const byReason = Map.groupBy(silent, ([index]) => whyOf(index));
    const texts = [...byReason].map(
      ([why, those]) => `${those.map(([, place]) => placeInUrl(place)).join(", ")}: ${why}`,
    );
    return texts.join("; ");
  }

  /** Resolves to the primary within half a second, or rejects with the reason. */
  async function find(): Promise<NamedPrimary> {
    const answers = await askAll();
    const named = [...answers.values()].filter(isNamed);
    const chosen = best(named);
    if (chosen !== undefined)
      return {
        place: chosen.place,
        answered: named.length,
        hasQuorum: named.some(({ hasQuorum }) => hasQuorum),
        silent: reasonsWithout(answers),
      };
    const why = reasonsWithout(answers);
    const hint = /password/.test(why) ? "; their login is REDIS_SENTINEL_USERNAME and REDIS_SENTINEL_PASSWORD" : "";
    throw new RedisUnavailable(`Redis ${name}: no sentinel of ${places.length} names a primary: ${why}${hint}`);
  }

  return {
    find,
    /** Rejects with the reason where no other primary could be chosen if this one failed. */
    async check(): Promise<void> {
      const { answered, hasQuorum, silent } = await find();
      if (hasQuorum && answered > places.length / 2) return;
      const few = `${answered} of ${places.length} sentinels answer, too few to choose another primary`;
      throw new RedisUnavailable(`Redis ${name}: ${few}${silent === "" ? "" : `: ${silent}`}`);
    },
    close: (): void => links.forEach(({ link }) => link.close()),
  };
}

export type Sentinels = ReturnType<typeof createSentinels>;
