import type { Config } from "../config/index.ts";
import { second, systemClock, type Clock } from "../core/clock.ts";
import type { Log } from "../observe/index.ts";
import type { Inspects } from "../inspect/index.ts";
import type { Metrics } from "../observe/metrics/index.ts";
import {
  createDeliveries,
  createHooks,
  createOutbound,
  createResend,
  createWebhooks,
  resendJob,
  type Deliveries,
  type Hooks,
  type Webhooks,
} from "../webhook/index.ts";
import type { Resources } from "./resources/index.ts";

/** What is read is wanted by somebody who waits for it. */
const longestReadMs = 5 * second;

interface ReceiverOptions {
  readonly config: Config;
  readonly resources: Pick<Resources, "database">;
  readonly metrics: Pick<Metrics, "webhookDeliveries" | "hookCalls">;
  readonly inspects: Pick<Inspects, "calls"> | undefined;
  /** Returns an account as services see it, without what is private; null where there is none. */
  readonly shownAccount: (userId: string) => Promise<object | null>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes what speaks to programs of the operator: those that are told of events, and those that are asked. */
export function createReceivers({ config, resources, metrics, inspects, shownAccount, clock, log }: ReceiverOptions) {
  const deliveries = createDeliveries({ database: resources.database, app: config.app.name, clock, log });
  const shared = { config, watchCalls: inspects?.calls, clock, log };
  const outbound = createOutbound({ clock });
  const reading = createOutbound({ clock, timeoutMs: longestReadMs });
  return {
    deliveries,
    /** Calls a program whose address the operator or the program itself has registered. */
    post: inspects?.calls(outbound) ?? outbound,
    /** Reads what such a program has published: its keys, and a document about it. */
    read: inspects?.calls(reading) ?? reading,
    webhooks: createWebhooks({ ...shared, kept: deliveries, shownAccount, deliveries: metrics.webhookDeliveries }),
    hooks: createHooks({ ...shared, calls: metrics.hookCalls }),
  };
}

type ResendOptions = Parameters<typeof createResend>[0];
type Commit = ResendOptions["commit"];

/** Makes the act that sends the message of a delivery once more. */
export const resendOf = (deliveries: Deliveries, of: Pick<ResendOptions, "app" | "names">, commit: Commit) =>
  createResend({ ...of, deliveries, jobOf: resendJob, commit });

/** Opens the webhooks for a command, which runs without the app. Deliveries are not counted. */
export const openWebhooks = (config: Config, log: Log): Webhooks =>
  createWebhooks({ config, deliveries: { count: () => undefined }, clock: systemClock, log });

/** Opens the hooks for a command. Questions are not counted. */
export const openHooks = (config: Config, log: Log): Hooks =>
  createHooks({ config, calls: { count: () => undefined }, clock: systemClock, log });
