import { flag } from "./kinds/kinds.ts";
import type { Named } from "./kinds/variable.ts";
import { everyTopic, receiverUrl, topicList, webhookSecrets } from "./kinds/webhook.kinds.ts";

/** Variables of webhooks. A webhook exists once both its address and its signing secret name it. */
export const webhookVariables = {
  prefix: "WEBHOOK",
  what: "webhook",
  each: {
    url: {
      group: "Webhooks",
      name: "WEBHOOK_<NAME>_URL",
      kind: receiverUrl,
      description: "Makes a webhook of that name: where events are posted. https outside local and testing",
    },
    secrets: {
      group: "Webhooks",
      name: "WEBHOOK_<NAME>_SECRET",
      kind: webhookSecrets,
      description:
        "Signs its deliveries: whsec_ and 24 to 64 random bytes in base64; while it is exchanged, both, separated by a space",
      secret: true,
    },
    topics: {
      group: "Webhooks",
      name: "WEBHOOK_<NAME>_TOPICS",
      kind: topicList,
      otherwise: () => everyTopic,
      description: "The topics that it gets, separated by commas: all",
    },
    allowPrivate: {
      group: "Webhooks",
      name: "WEBHOOK_<NAME>_ALLOW_PRIVATE",
      kind: flag,
      otherwise: ({ text }) => String(["local", "testing"].includes(text("APP_ENV"))),
      description:
        "Lets its address lead into private networks or to this machine, as that of an internal receiver does: true in local and testing, else false",
    },
  },
} as const satisfies Named;
