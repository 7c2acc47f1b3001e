import type { Config } from "../config/index.ts";
import { systemClock } from "../core/clock.ts";
import type { Log } from "../observe/index.ts";
import { createWebhooks, type Webhooks } from "../webhook/index.ts";

/** Opens the webhooks for a command, which runs without the app. Deliveries are not counted. */
export const openWebhooks = (config: Config, log: Log): Webhooks =>
  createWebhooks({ config, deliveries: { count: () => undefined }, clock: systemClock, log });
