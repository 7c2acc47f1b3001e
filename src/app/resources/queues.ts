import { redisNamespace, redisServer } from "./redis.ts";
import type { Config } from "../../config/index.ts";
import { openQueues, type OpenQueues, type OpenQueuesOptions } from "../../drivers/queue/open.ts";
import { logoutQueueSettings } from "../../idp/logout/logout.queue.ts";
import { webhookQueues } from "../../webhook/index.ts";

interface ConfiguredQueuesOptions extends Omit<OpenQueuesOptions, "app" | "config" | "own"> {
  readonly config: Config;
}

export const openConfiguredQueues = ({ config, ...options }: ConfiguredQueuesOptions): OpenQueues =>
  openQueues({
    ...options,
    app: config.app.name,
    config: {
      ...config.queue,
      redis: { ...redisServer(config, undefined), url: config.redis.url, namespace: redisNamespace(config.app.env) },
    },
    own: [...webhookQueues(config), ...(config.idp.enabled ? [logoutQueueSettings] : [])],
  });
