import { createClient, type Answer, type Client } from "../client.ts";
import { publicUrl, type ProviderName, type StandIn } from "./provider.ts";

/** The provider's answer, on its way through the browser. */
export interface Callback {
  readonly provider: ProviderName;
  /** Whether the answer comes by a form on the provider's page, not by redirect. */
  readonly posted: boolean;
  readonly params: URLSearchParams;
}

export interface JourneyOptions {
  readonly next?: string;
  readonly link?: boolean;
  /** The browser as the provider knows it. Default: a new one. */
  readonly atProvider?: Client;
}

const longestJourney = 12;
export const routeOf = (provider: string, route: "start" | "callback" | "link/start"): string =>
  `/api/v1/auth/oauth/${provider}/${route}`;

export const startOf = (provider: string, { next, link = false }: JourneyOptions = {}): string =>
  `${routeOf(provider, link ? "link/start" : "start")}${next === undefined ? "" : `?next=${encodeURIComponent(next.toWellFormed())}`}`;

/** Begins at Gatehouse. Resolves to the URL at which the provider is asked. */
export async function begin(browser: Client, provider: StandIn, options: JourneyOptions = {}): Promise<URL> {
  const answer = await browser.get(startOf(provider.name, options));
  if (answer.status !== 302) throw new Error(`the start answered ${answer.status} ${answer.text}`);
  return new URL(answer.headers.get("location") ?? "");
}

export interface Form {
  readonly action: string;
  readonly fields: URLSearchParams;
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

export function formOf(html: string): Form | undefined {
  if (!html.includes("<form")) return undefined;
  const attribute = (tag: string, name: string): string =>
    unescapeHtml(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  const fields = new URLSearchParams();
  for (const [tag] of html.matchAll(/<input[^>]*>/g)) fields.append(attribute(tag, "name"), attribute(tag, "value"));
  return { action: attribute(/<form[^>]*>/.exec(html)?.[0] ?? "", "action"), fields };
}

/** Signs in at the provider as `account`, or refuses there if it knows no such account. */
export async function approve(
  provider: StandIn,
  authorization: URL,
  account: string,
  atProvider: Client = createClient(provider.url),
): Promise<Callback> {
  let path = `${authorization.pathname}${authorization.search}`;
  let answer = await atProvider.get(path);
  for (let step = 0; step < longestJourney; step += 1) {
    const location = answer.headers.get("location");
    if (location !== null) {
      const target = new URL(location, new URL(path, provider.url));
      if (target.origin !== new URL(provider.url).origin)
        return { provider: provider.name, posted: false, params: target.searchParams };
      path = `${target.pathname}${target.search}`;
      answer = await atProvider.get(path);
      continue;
    }
    const form = formOf(answer.text);
    if (form === undefined) throw new Error(`the provider answered ${answer.status} ${answer.text.slice(0, 300)}`);
    if (form.action.startsWith("http")) return { provider: provider.name, posted: true, params: form.fields };
    form.fields.set("account", account);
    answer = await atProvider.request("POST", path, undefined, {
      body: form.fields.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  }
  throw new Error("the provider goes round in circles");
}

export interface DeliverOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to post the answer as the form of another site. Default: if the provider does. */
  readonly posted?: boolean;
}

/** Brings the answer to Gatehouse as a browser does, with the headers of a request that another site has caused. */
export function deliver(
  browser: Client,
  { provider, posted, params }: Callback,
  { headers = {}, ...options }: DeliverOptions = {},
): Promise<Answer> {
  const path = routeOf(provider, "callback");
  if (!(options.posted ?? posted))
    return browser.get(`${path}?${params.toString()}`, { headers: { "sec-fetch-site": "cross-site", ...headers } });
  return browser.request("POST", path, undefined, {
    body: params.toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: "https://provider.example.test",
      "sec-fetch-site": "cross-site",
      ...headers,
    },
  });
}

/** Goes from the start to Gatehouse's answer to the callback. */
export async function signInWith(
  browser: Client,
  provider: StandIn,
  account: string,
  options: JourneyOptions = {},
): Promise<Answer> {
  const authorization = await begin(browser, provider, options);
  return deliver(browser, await approve(provider, authorization, account, options.atProvider));
}

/** Returns the settings by which a target knows these providers. */
export const envOf = (...providers: readonly StandIn[]): Record<string, string> => ({
  APP_URL: publicUrl,
  ...Object.assign({}, ...providers.map(({ env }) => env)),
});
