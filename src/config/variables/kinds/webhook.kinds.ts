import { isTopic, topics, type Topic } from "../../../core/topics.ts";
import { textThat, accepts, list, type Kind } from "./kinds.ts";

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
export const everyTopic = topicNames.join(",");

export const topicList: Kind<readonly Topic[]> = {
  complaint: (value) => {
    const items = list.read(value);
    const wrong = items.findIndex((item) => !isTopic(item));
    if (items.length > 0 && wrong === -1) return undefined;
    const which = wrong === -1 ? "" : `; number ${wrong + 1} is none of these`;
    return `must be a list of topics: ${topicNames.join(", ")}${which}`;
  },
  read: (value) => [...new Set(list.read(value).filter(isTopic))],
};
