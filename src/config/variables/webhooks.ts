import { flag } from "./kinds/kinds.ts";
import { variablesOf, type Named } from "./kinds/variable.ts";
import { everyTopic, receiverUrl, topicList, webhookSecrets } from "./kinds/webhook.kinds.ts";

const webhooks = variablesOf("Webhooks");

/** Variables of webhooks. A webhook exists once both its address and its signing secret name it. */
export const webhookVariables = {
  prefix: "WEBHOOK",
  what: "webhook",
  each: {
    url: webhooks("WEBHOOK_<NAME>_URL", receiverUrl, {
      description: "Makes a webhook of that name: where events are posted. https outside local and testing",
    }),
    secrets: webhooks("WEBHOOK_<NAME>_SECRET", webhookSecrets, {
      description:
        "Signs its deliveries: whsec_ and 24 to 64 random bytes in base64; while it is exchanged, both, separated by a space",
      secret: true,
    }),
    topics: webhooks("WEBHOOK_<NAME>_TOPICS", topicList, {
      otherwise: () => everyTopic,
      description: "The topics that it gets, separated by commas: all",
    }),
    allowPrivate: webhooks("WEBHOOK_<NAME>_ALLOW_PRIVATE", flag, {
      otherwise: ({ text }) => String(["local", "testing"].includes(text("APP_ENV"))),
      description:
        "Lets its address lead into private networks or to this machine, as that of an internal receiver does: true in local and testing, else false",
    }),
  },
} as const satisfies Named;
