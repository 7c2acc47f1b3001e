import { variableOf } from "../../core/naming.ts";
import { webhookVariables } from "../variables/webhooks.ts";
import { isGuessable } from "./guessable.ts";
import { reachOfHost } from "./hosts.ts";
import { isDeployed, type Judged } from "./judged.ts";

type Webhook = Judged["config"]["webhooks"][string];

const { each } = webhookVariables;

function addressComplaint({ url, allowPrivate }: Webhook, allowing: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  if (parsed.protocol !== "https:") return "must be https outside local and testing";
  const reach = reachOfHost(parsed);
  if (reach === "none") return "must not be at an address that is link-local, reserved or of a metadata service";
  return reach === "private" && !allowPrivate
    ? `must not be at a private address outside local and testing, unless ${allowing} is true`
    : undefined;
}

/** Finds faults of one webhook. Its address and its secret must be given together. */
function problemsOf(name: string, webhook: Webhook, { reader, config }: Judged): readonly string[] {
  const [url, secret] = [variableOf(each.url.name, name), variableOf(each.secrets.name, name)];
  const [hasUrl, hasSecret] = [reader.isSet(each.url, name), reader.isSet(each.secrets, name)];
  const missing = [...(hasUrl ? [] : [`${url} is required`]), ...(hasSecret ? [] : [`${secret} is required`])].map(
    (problem) => `${problem} for the webhook ${name}`,
  );
  if (!isDeployed(config)) return missing;
  const unfit = addressComplaint(webhook, variableOf(each.allowPrivate.name, name));
  const weak = webhook.secrets.some((text) => isGuessable(text.replace("whsec_", "")))
    ? [`${secret} is easily guessed: take random bytes`]
    : [];
  return [...missing, ...(unfit === undefined ? [] : [`${url} ${unfit}`]), ...weak];
}

/** The most webhooks: a worker reserves places for the deliveries of each, within a bound on all that it sends at once. */
const mostWebhooks = 16;

export function webhookProblems(judged: Judged): readonly string[] {
  const webhooks = Object.entries(judged.config.webhooks);
  const tooMany =
    webhooks.length > mostWebhooks ? [`WEBHOOK_<NAME>_URL: at most ${mostWebhooks} webhooks can be configured`] : [];
  return [...tooMany, ...webhooks.flatMap(([name, webhook]) => problemsOf(name, webhook, judged))];
}

export const webhookWarnings = ({ webhooks }: Judged["config"]): readonly string[] =>
  Object.entries(webhooks)
    .filter(([, { allowPrivate }]) => allowPrivate)
    .map(
      ([name]) =>
        `${variableOf(each.allowPrivate.name, name)}=true: whoever controls the name in its URL chooses which private address is called`,
    );
