import { minute, second } from "../../core/clock.ts";
import { logoutQueue } from "../../core/naming.ts";
import type { OwnQueue } from "../../drivers/queue/index.ts";

/** The queue of messages to clients whose sessions have ended. The database itself writes its jobs. */
export const logoutQueueSettings: OwnQueue = {
  name: logoutQueue,
  concurrency: 8,
  rests: { firstMs: 5 * second, longestMs: 30 * minute },
  isStored: true,
};
