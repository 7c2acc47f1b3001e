import { table, variablesIn } from "../variables/index.ts";
import { urlText } from "../variables/kinds.ts";
import { isOptional, type Entry, type Optional } from "../variables/variable.ts";
import { isPrivateHost } from "./hosts.ts";
import { isDeployed, type Judged } from "./judged.ts";

const entries: readonly Entry[] = Object.values(table.oauth);
const providers: readonly Optional[] = entries.filter(isOptional);

function addressComplaint(value: string): string | undefined {
  if (!value.startsWith("https:")) return "must be https outside local and testing";
  const url = URL.parse(value);
  return url !== null && isPrivateHost(url) ? "must not be at a private address outside local and testing" : undefined;
}

function providerProblems({ needed, section }: Optional, { reader, config }: Judged): readonly string[] {
  const set = variablesIn(section).filter((variable) => reader.isSet(variable));
  const [first] = set;
  if (first === undefined) return [];
  const missing = needed
    .filter((variable) => !reader.isSet(variable))
    .map(({ name }) => `${name} is required with ${first.name}`);
  if (!isDeployed(config)) return missing;
  const unfit = set
    .filter(({ kind }) => kind === urlText)
    .flatMap((variable) => {
      const complaint = addressComplaint(reader.text(variable));
      return complaint === undefined ? [] : [`${variable.name} ${complaint}`];
    });
  const plainReturn =
    reader.isSet("APP_URL") && config.app.url.protocol !== "https:"
      ? ["APP_URL must be https for OAuth: providers send sign-ins back to it"]
      : [];
  return [...missing, ...unfit, ...plainReturn];
}

/**
 * A provider is configured whole or not at all. Outside local and testing nothing of it is plain HTTP or at a private address,
 * so that the outgoing requests of a sign-in can't be turned against the operator's own network. A name may stand for such
 * an address, as a company's own GitHub does: its certificate says who answers.
 */
export const oauthProblems = (judged: Judged): readonly string[] =>
  providers.flatMap((provider) => providerProblems(provider, judged));
