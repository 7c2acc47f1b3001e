import { second } from "../../core/clock.ts";
import { variableOf } from "../../core/naming.ts";
import { hookPoints } from "../../core/people/hook.points.ts";
import { hookVariables } from "../variables/hooks.ts";
import { webhookVariables } from "../variables/webhooks.ts";
import { isGuessable } from "./guessable.ts";
import { reachOfHost } from "./hosts.ts";
import { isDeployed, type Judged } from "./judged.ts";

/** A program that is sent something: told of events, or asked. */
type Receiver = Pick<Judged["config"]["webhooks"][string], "url" | "secrets" | "allowPrivate">;

interface Receivers {
  readonly what: string;
  readonly each:
    | Pick<typeof webhookVariables.each, "url" | "secrets" | "allowPrivate">
    | Pick<typeof hookVariables.each, "url" | "secrets" | "allowPrivate">;
  /** The most of them. */
  readonly most: number;
}

/** A worker reserves places for the deliveries of each webhook, within a bound on all that it sends at once. */
const webhooks: Receivers = { what: webhookVariables.what, each: webhookVariables.each, most: 16 };
/** A person waits for the answer of each hook, one after the other. */
const hooks: Receivers = { what: hookVariables.what, each: hookVariables.each, most: 8 };

function addressComplaint({ url, allowPrivate }: Receiver, allowing: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  if (parsed.protocol !== "https:") return "must be https outside local and testing";
  const reach = reachOfHost(parsed);
  if (reach === "none") return "must not be at an address that is link-local, reserved or of a metadata service";
  return reach === "private" && !allowPrivate
    ? `must not be at a private address outside local and testing, unless ${allowing} is true`
    : undefined;
}

/** Finds faults of one receiver. Its address and its secret must be given together. */
function problemsOf(
  name: string,
  receiver: Receiver,
  { what, each }: Receivers,
  { reader, config }: Judged,
): readonly string[] {
  const [url, secret] = [variableOf(each.url.name, name), variableOf(each.secrets.name, name)];
  const [hasUrl, hasSecret] = [reader.isSet(each.url, name), reader.isSet(each.secrets, name)];
  const missing = [...(hasUrl ? [] : [`${url} is required`]), ...(hasSecret ? [] : [`${secret} is required`])].map(
    (problem) => `${problem} for the ${what} ${name}`,
  );
  if (!isDeployed(config)) return missing;
  const unfit = addressComplaint(receiver, variableOf(each.allowPrivate.name, name));
  const weak = receiver.secrets.some((text) => isGuessable(text.replace("whsec_", "")))
    ? [`${secret} is easily guessed: take random bytes`]
    : [];
  return [...missing, ...(unfit === undefined ? [] : [`${url} ${unfit}`]), ...weak];
}

const receiversOf = (all: Readonly<Record<string, Receiver>>, kind: Receivers, judged: Judged): readonly string[] => {
  const found = Object.entries(all);
  const tooMany =
    found.length > kind.most ? [`${kind.each.url.name}: at most ${kind.most} ${kind.what}s can be configured`] : [];
  return [...tooMany, ...found.flatMap(([name, receiver]) => problemsOf(name, receiver, kind, judged))];
};

/**
 * The longest that the hooks of one point may take together. A person waits for three points at a registration, and a connection that is
 * silent for a minute is closed.
 */
const longestPointMs = 15 * second;

const slowPoints = ({ config }: Judged): readonly string[] =>
  hookPoints.flatMap((point) => {
    const asked = Object.values(config.hooks).filter(({ points }) => points.includes(point));
    const together = asked.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0);
    return together <= longestPointMs
      ? []
      : [
          `${hookVariables.each.timeoutMs.name}: the hooks of ${point} may take ${longestPointMs / second} s together, and not ${together / second} s`,
        ];
  });

export const receiverProblems = (judged: Judged): readonly string[] => [
  ...slowPoints(judged),
  ...receiversOf(judged.config.webhooks, webhooks, judged),
  ...receiversOf(judged.config.hooks, hooks, judged),
];

const warningsOf = (all: Readonly<Record<string, Receiver>>, { each }: Receivers): readonly string[] =>
  Object.entries(all)
    .filter(([, { allowPrivate }]) => allowPrivate)
    .map(
      ([name]) =>
        `${variableOf(each.allowPrivate.name, name)}=true: whoever controls the name in its URL chooses which private address is called`,
    );

export const receiverWarnings = (config: Judged["config"]): readonly string[] => [
  ...warningsOf(config.webhooks, webhooks),
  ...warningsOf(config.hooks, hooks),
];
