import { variableOf } from "../../core/naming.ts";
import { table, variablesIn } from "../variables/index.ts";
import { urlText } from "../variables/kinds/kinds.ts";
import { openIdVariables } from "../variables/auth/oauth.ts";
import { isOptional, type Entry, type Optional } from "../variables/kinds/variable.ts";
import { isPlaceholder } from "./guessable.ts";
import { isPrivateHost } from "./hosts.ts";
import { isDeployed, type Judged } from "./judged.ts";

const entries: readonly (readonly [string, Entry])[] = Object.entries(table.oauth);
const providers: readonly Optional[] = entries.map(([, entry]) => entry).filter(isOptional);
const namesOfFour = entries.filter(([, entry]) => isOptional(entry)).map(([name]) => name);

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
  return [...missing, ...unfit, ...plainReturn({ reader, config })];
}

const plainReturn = ({ reader, config }: Pick<Judged, "reader" | "config">): readonly string[] =>
  reader.isSet("APP_URL") && config.app.url.protocol !== "https:"
    ? ["APP_URL must be https for OAuth: providers send sign-ins back to it"]
    : [];

const { each } = openIdVariables;
/** Names that a provider may not have: those of the four built-in ones, and words that metrics use for sign-ins without a provider. */
const takenNames: ReadonlySet<string> = new Set([...namesOfFour, "local", "unknown"]);
/** The most OpenID providers: each keeps metadata and keys in memory, and has a button on every sign-in page. */
const mostOpenIds = 16;

function openIdProblems(name: string, { reader, config }: Judged): readonly string[] {
  const nameOf = (variable: (typeof each)[keyof typeof each]): string => variableOf(variable.name, name);
  const isOfOrganizations = config.organizations.enabled && /^org(?:anization$|-)/.test(name);
  if (takenNames.has(name) || isOfOrganizations)
    return [`${nameOf(each.issuer)}: the name ${name.toUpperCase()} is taken, choose another one`];
  const missing = [each.issuer, each.clientId, each.clientSecret]
    .filter((variable) => !reader.isSet(variable, name))
    .map((variable) => `${nameOf(variable)} is required for the provider ${name}`);
  const provider = config.oauth.openId[name];
  if (!isDeployed(config) || provider === undefined) return missing;
  const complaint = provider.issuer === "" ? undefined : addressComplaint(provider.issuer);
  const placeholder = isPlaceholder(provider.clientSecret) ? ["still holds its placeholder"] : [];
  return [
    ...missing,
    ...(complaint === undefined ? [] : [`${nameOf(each.issuer)} ${complaint}`]),
    ...placeholder.map((text) => `${nameOf(each.clientSecret)} ${text}`),
    ...plainReturn({ reader, config }),
  ];
}

/**
 * Finds providers that are configured in part. Outside local and testing, no URL of a provider may be plain HTTP or at a private address,
 * so that the outgoing requests of a sign-in can't be turned against the operator's own network. A name may resolve to such an address,
 * such as a company's own GitHub: its certificate proves who answers.
 */
export function oauthProblems(judged: Judged): readonly string[] {
  const openIds = Object.keys(judged.config.oauth.openId);
  return [
    ...providers.flatMap((provider) => providerProblems(provider, judged)),
    ...(openIds.length > mostOpenIds
      ? [`AUTH_OIDC_<NAME>_ISSUER: at most ${mostOpenIds} providers can be configured`]
      : []),
    ...openIds.flatMap((name) => openIdProblems(name, judged)),
  ];
}
