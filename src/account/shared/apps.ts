import type { Chapters } from "./words.ts";

/** What a program may see and do for a person. */
interface Held {
  readonly scopes: Iterable<string>;
  readonly resources: Iterable<string>;
}

/** A resource server as people read it: its host, or the whole of an address that has none. */
function serverOf(resource: string): string {
  const url = URL.parse(resource);
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : resource;
}

/** Says what an app may see and do, in a language (BCP 47). A scope that the pages have no words for is named as it is. */
export function heldInWords(
  { scopes, resources }: Held,
  { sees, seesNothing, calls, staysIn, scopes: known }: Chapters["account"]["apps"],
  tag: string,
): string {
  const wordsOf: Readonly<Record<string, string>> = known;
  const held = [...scopes];
  const seen = held.filter((scope) => scope !== "openid" && scope !== "offline_access");
  const listed = (names: readonly string[]): string => new Intl.ListFormat(tag).format(names);
  const servers = [...new Set([...resources].map(serverOf))];
  const nothing = servers.length === 0 ? [seesNothing] : [];
  return [
    ...(seen.length === 0 ? nothing : [sees({ list: listed(seen.map((scope) => wordsOf[scope] ?? scope)) })]),
    ...(servers.length === 0 ? [] : [calls({ list: listed(servers) })]),
    ...(held.includes("offline_access") ? [staysIn] : []),
  ].join(" ");
}
