import type { SQL } from "bun";
import { second } from "../../../core/clock.ts";
import { endsWithin } from "../../../core/pace/deadline.ts";
import type { DriverLog, Listening } from "../index.ts";
import { createClient, type ClientOptions } from "./client.ts";

interface ListeningOptions extends Pick<ClientOptions, "address"> {
  readonly name: string;
  readonly log: DriverLog | undefined;
}

const answerLimitMs = 10 * second;
const firstRestMs = 250;
const longestRestMs = 30 * second;

/**
 * Hears a channel on a connection of its own. The client itself connects again once it has been connected, and what was sent meanwhile is
 * lost; the first connect is tried again here. Neither notices packets that the network swallows in silence, so a listener has to look for
 * itself from time to time as well.
 */
export function listenTo({ address, name, log }: ListeningOptions) {
  return (channel: string, onNotice: (text: string | undefined) => void): Listening => {
    const stopped = Promise.withResolvers<void>();
    let client: SQL | undefined;
    let stopping = false;

    async function subscribe(): Promise<boolean> {
      client = createClient({ address, connections: 1, statementTimeoutMs: 0, connectTimeoutMs: answerLimitMs });
      const subscribed = client.listen(channel, onNotice, () => onNotice(undefined));
      try {
        if (await endsWithin(subscribed, answerLimitMs)) return true;
        log?.warn("notices can't be heard: the server does not answer", { database: name, channel });
      } catch (error) {
        if (!stopping) log?.warn("notices can't be heard", { database: name, channel, error });
      }
      await end(client);
      return false;
    }

    async function untilSubscribed(): Promise<void> {
      for (let restMs = firstRestMs; !stopping && !(await subscribe()); restMs = Math.min(longestRestMs, restMs * 2)) {
        const rest = Promise.withResolvers<void>();
        const timer = setTimeout(rest.resolve, restMs);
        await Promise.race([rest.promise, stopped.promise]);
        clearTimeout(timer);
      }
    }

    const subscribing = untilSubscribed();
    return {
      async stop() {
        stopping = true;
        stopped.resolve();
        await end(client);
        await subscribing;
      },
    };
  };

  /** Closes the client, the connection that listens included. */
  async function end(ending: SQL | undefined): Promise<void> {
    try {
      await ending?.close({ timeout: 0 });
    } catch (error) {
      log?.warn("the connection for notices was not closed", { database: name, error });
    }
  }
}
