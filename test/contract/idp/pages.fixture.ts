import { issuer } from "./idp.fixture.ts";
import type { Answer, Client } from "../../support/client.ts";

interface FormOfPage {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly buttons: readonly { readonly words: string; readonly sends: readonly (readonly [string, string])[] }[];
}

/** Returns the forms of a page in their order, as a browser without a script would send them. */
export function formsOf({ text }: Answer): readonly FormOfPage[] {
  const plain = (html = ""): string =>
    html
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  return [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", inner = ""]) => ({
    action: plain(/action="([^"]*)"/.exec(head)?.[1]),
    fields: [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name, value]) => [plain(name), plain(value)] as const,
    ),
    buttons: [...inner.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, own = "", words]) => {
      const [, name, value] = /name="([^"]*)" value="([^"]*)"/.exec(own) ?? [];
      return { words: plain(words), sends: name === undefined ? [] : [[name, plain(value)] as const] };
    }),
  }));
}

interface Changes {
  /** Fields that replace those of the page; undefined leaves one out. */
  readonly fields?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Presses a button of a page, as a browser does that has loaded it from this service. */
export function press(browser: Client, page: Answer, button: string, { fields = {}, headers = {} }: Changes = {}) {
  const found = formsOf(page).find(({ buttons }) => buttons.some(({ words }) => words === button));
  const sends = found?.buttons.find(({ words }) => words === button)?.sends ?? [];
  if (found === undefined) throw new Error(`no button ${button}: ${page.status} ${page.text.slice(0, 2_000)}`);
  const kept = found.fields.filter(([name]) => !(name in fields));
  const changed = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return browser.request("POST", found.action, undefined, {
    body: new URLSearchParams(
      [...kept, ...changed, ...sends].map(([name = "", value = ""]): [string, string] => [name, value]),
    ).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: issuer,
      "sec-fetch-site": "same-origin",
      ...headers,
    },
  });
}

/** Returns where an answer leads within this service: the sign-in page with what it carries. */
export function ledTo({ status, headers, text }: Answer) {
  const location = headers.get("location");
  if (status !== 303 || location === null) throw new Error(`it leads nowhere: ${status} ${text.slice(0, 500)}`);
  const { pathname, searchParams } = new URL(location, issuer);
  return { path: pathname, query: searchParams, next: searchParams.get("next") ?? "" };
}
