import { afterAll } from "bun:test";
import { type Registered, redirectUri, verifier, idpKit, idpEnvironment } from "../contract/idp/idp.fixture.ts";
import { createClient, type Answer, type Client } from "../support/client.ts";
import { stage } from "../support/stage.ts";
import { travel } from "./counterpart.fixture.ts";
import { startRival } from "./rival.ts";

/** Parameters; one whose value is a list is sent several times, and one that is undefined is not sent. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

const written = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    ),
  ).toString();

const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
export const shop = await kit.register("Shop");
export const board = await kit.register("Board", "--type", "browser");
export const robot = await kit.register("Robot", "--type", "machine", "--scope", "reports:read");
export const stranger = await kit.register("Stranger", "--third-party");
const rival = await startRival({
  redirectUri,
  clients: [
    { ...shop, kind: "web" },
    { ...board, kind: "browser" },
    { ...robot, kind: "machine" },
    { ...stranger, kind: "third-party" },
  ],
});
afterAll(rival.stop);
const ada = await people.register("ada");

export const requestOf = (client: Registered): Fields => ({ ...kit.requestOf(client), state: "s" });

/** Says in a word or two what an answer at the authorization endpoint means. */
function meaningOf({ status, headers }: Answer): string {
  const location = headers.get("location");
  if (location === null) return status === 200 ? "consent" : "page";
  if (!location.startsWith(redirectUri)) {
    const { pathname } = new URL(location, target.url);
    return pathname.startsWith("/consent/") ? "consent" : "login";
  }
  const params = new URLSearchParams(location.slice(redirectUri.length + 1));
  const lost = ["state", "iss"].filter((name) => !params.has(name));
  const what = params.get("error") ?? (params.has("code") ? "code" : location);
  return [what, ...lost.map((name) => `without ${name}`)].join(" ");
}

/** One of both providers, with Ada's browser, and that of somebody who is not signed in. */
export interface Side {
  readonly url: string;
  readonly signedIn: Client;
  /** Asks the authorization endpoint. */
  authorize(fields: Fields, isSignedIn: boolean): Promise<string>;
  /** Asks an endpoint for programs. */
  call(path: string, fields: Fields, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Resolves to a code for Ada. */
  code(client: Registered, fields?: Fields): Promise<string>;
}

function sideOf(url: string, signedIn: Client): Side {
  return {
    url,
    signedIn,
    authorize: async (fields, isSignedIn) =>
      meaningOf(await (isSignedIn ? signedIn : createClient(url)).get(`/oauth2/authorize?${written(fields)}`)),
    call: (path, fields, headers = {}) =>
      createClient(url).request("POST", path, undefined, {
        body: written(fields),
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      }),
    async code(client, fields = {}) {
      const { at } = await travel(
        [signedIn],
        `${url}/oauth2/authorize?${written({ ...requestOf(client), ...fields })}`,
      );
      return at.searchParams.get("code") ?? "";
    },
  };
}

export const ours = sideOf(target.url, ada.client);
const browser = createClient(rival.url);
await travel([browser], `${rival.url}/oauth2/authorize?${written(requestOf(shop))}`);
export const theirs = sideOf(rival.url, browser);
export { redirectUri, verifier };
export const basic = (client: Registered) => ({ authorization: kit.basic(client) });
