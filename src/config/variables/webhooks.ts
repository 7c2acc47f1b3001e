import { accepts, choice, flag, list, textThat, type Kind } from "./kinds/kinds.ts";
import { variablesOf, type Named } from "./kinds/variable.ts";
import { isTopic, topics, type Topic } from "../../core/topics.ts";

function isReceiverUrl(value: string): boolean {
  const parsed = URL.parse(value);
  return (
    parsed !== null && /^https?:$/.test(parsed.protocol) && `${parsed.username}${parsed.password}${parsed.hash}` === ""
  );
}
/** The URL of a receiver. It may have a query, in which some receivers expect a token. */
export const receiverUrl = textThat(isReceiverUrl, "must be an http or https URL without credentials or fragment");

const webhookSecretPrefix = "whsec_";

function isWebhookSecret(value: string): boolean {
  const encoded = value.startsWith(webhookSecretPrefix) ? value.slice(webhookSecretPrefix.length) : "";
  const key = Buffer.from(encoded, "base64");
  return key.length >= 24 && key.length <= 64 && key.toString("base64") === encoded;
}
const splitWords = (value: string): readonly string[] => value.split(/\s+/).filter((word) => word !== "");
const mostWebhookSecrets = 4;

/** Secrets in the format of the Standard Webhooks specification. There are several while one replaces another. */
export const webhookSecrets: Kind<readonly string[]> = {
  complaint: accepts((value) => {
    const secrets = splitWords(value);
    return secrets.length > 0 && secrets.length <= mostWebhookSecrets && secrets.every(isWebhookSecret);
  }, `must be whsec_ and 24 to 64 bytes in base64, or up to ${mostWebhookSecrets} of these separated by spaces`),
  read: splitWords,
  lines: "items",
};

const topicNames = Object.keys(topics).filter(isTopic);
const everyTopic = topicNames.join(",");

const topicList: Kind<readonly Topic[]> = {
  complaint: (value) => {
    const items = list.read(value);
    const wrong = items.findIndex((item) => !isTopic(item));
    if (items.length > 0 && wrong === -1) return undefined;
    const which = wrong === -1 ? "" : `; number ${wrong + 1} is none of these`;
    return `must be a list of topics: ${topicNames.join(", ")}${which}`;
  },
  read: (value) => [...new Set(list.read(value).filter(isTopic))],
};

/** Receivers on this machine are usual where nothing is deployed. */
export const privateAtHome = ({ text }: { readonly text: (name: "APP_ENV") => string }): string =>
  String(["local", "testing"].includes(text("APP_ENV")));

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
    expand: webhooks("WEBHOOK_<NAME>_EXPAND", choice("nothing", "user"), {
      fallback: "nothing",
      description: "user puts the account into each message about one, as the users API shows it: nothing or user",
    }),
    allowPrivate: webhooks("WEBHOOK_<NAME>_ALLOW_PRIVATE", flag, {
      otherwise: privateAtHome,
      description:
        "Lets its address lead into private networks or to this machine, as that of an internal receiver does: true in local and testing, else false",
    }),
  },
} as const satisfies Named;
