import type { Person } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { challengedAt, giveAuthenticator, verify, type Authenticator, type Challenged } from "../../support/factor.ts";
import type { Rows } from "../../support/rows.ts";
import { providerOn } from "../idp/idp.fixture.ts";

export interface Route {
  readonly method: string;
  readonly path: string;
}

/** Routes that a session may use while it still has to set up its second factor. */
const openWithoutFactor =
  /^(?:GET \/me|GET \/mfa|POST \/mfa\/totp\/(?:setup|confirm)|POST \/passkeys\/register\/(?:options|verify)|POST \/reauthenticate(?:\/options)?|POST \/logout(?:-all)?)$/;
export const isOpenWithoutFactor = ({ method, path }: Route): boolean =>
  openWithoutFactor.test(`${method} ${path.replace("/api/v1/auth", "")}`);

const entriesOf = (value: unknown): [string, unknown][] => Object.entries(Object(value));
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Resolves to every route that takes only a session, as the API reference lists them. */
export async function guardedRoutes(url: string): Promise<readonly Route[]> {
  const document = (await createClient(url).get("/openapi/json")).json;
  const paths = new Map(entriesOf(document)).get("paths");
  return entriesOf(paths).flatMap(([path, methods]) =>
    entriesOf(methods).flatMap(([method, operation]) => {
      const ways = listOf(new Map(entriesOf(operation)).get("security"));
      const isGuarded = ways.some((way) => Object.hasOwn(Object(way), "session"));
      return isGuarded
        ? [{ method: method.toUpperCase(), path: path.replace("{provider}", "github").replaceAll(/\{[^}]+\}/g, "x") }]
        : [];
    }),
  );
}

/** A sender of requests, with its browser and its headers. */
interface Caller {
  readonly name: string;
  readonly client: () => Client;
  readonly headers?: Record<string, string>;
}

/** Resolves to senders with everything that a person has between the password and the second factor, tried as if it were a session. */
export async function callersHalfway(url: string, person: Person): Promise<readonly Caller[]> {
  const { browser } = await challengedAt(url, person);
  const { challenge: whole } = await challengedAt(url, person, { delivery: "body" });
  const cookie = browser.cookie("auth_challenge") ?? "";
  const secret = cookie.split(".")[1] ?? "";
  const withCookies = (cookies: Record<string, string>) => (): Client => {
    const client = createClient(url);
    for (const [name, value] of Object.entries(cookies)) client.setCookie(name, value);
    return client;
  };
  return [
    { name: "nobody", client: () => createClient(url) },
    { name: "the cookie of the challenge", client: () => browser.copy() },
    ...[cookie, secret, whole].flatMap((text, index) => [
      {
        name: `text ${index} as bearer`,
        client: () => createClient(url),
        headers: { authorization: `Bearer ${text}` },
      },
      { name: `text ${index} as cookies`, client: withCookies({ auth_access: text, auth_refresh: text }) },
    ]),
  ];
}

export async function send({ client, headers = {} }: Caller, { method, path }: Route): Promise<string> {
  const answer = await client().request(method, path, method === "GET" ? undefined : {}, { headers });
  return `${answer.status} ${String(answer.at("code"))}`;
}

/** Settings of a provider, and of a service that other programs sign people in with, so that all routes exist. No test sends a provider a request. */
export const withProvider = {
  ...providerOn,
  AUTH_OAUTH_GITHUB_CLIENT_ID: "gatehouse",
  AUTH_OAUTH_GITHUB_CLIENT_SECRET: "of this test",
};

/**
 * Sends wrong codes to all open challenges at once, at any number of processes, from a browser that the account knows. Resolves to how
 * often each answer was given.
 */
export async function attack(
  urls: readonly string[],
  person: Person,
  app: Authenticator,
  { challenges, requests }: { readonly challenges: number; readonly requests: number },
): Promise<ReadonlyMap<string, number>> {
  const open: Pick<Challenged, "browser" | "challenge">[] = [];
  for (let made = 0; made < challenges; made += 1)
    open.push(await challengedAt(urls[made % urls.length] ?? "", person, {}, person.client));
  const code = app.wrong();
  const answers = await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const { browser, challenge } = open[index % open.length] ?? { browser: createClient(""), challenge: "" };
      const other = createClient(urls[Math.floor(index / open.length) % urls.length] ?? "");
      other.setCookie("auth_challenge", browser.cookie("auth_challenge") ?? "");
      return String((await verify({ browser: other, challenge }, code)).at("code"));
    }),
  );
  return new Map([...Map.groupBy(answers, (each) => each)].map(([each, all]) => [each, all.length]));
}

export const registered = async (
  people: { register(name: string): Promise<Person> },
  rows: Rows,
  name: string,
): Promise<Person & { readonly app: Authenticator }> => {
  const person = await people.register(name);
  return { ...person, app: giveAuthenticator(rows, person) };
};
