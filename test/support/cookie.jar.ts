import type { SetCookie } from "./client.ts";

/**
 * A browser's cookies for one host, by rules that this folder's client leaves out: a cookie of a domain and a cookie of the host alone
 * exist side by side under one name, and both are sent (RFC 6265bis §5.7, §5.8.3).
 */
export function createJar(host: string) {
  const cookies = new Map<
    string,
    { readonly name: string; readonly value: string; readonly domain: string | undefined }
  >();

  return {
    store(setCookies: readonly SetCookie[]): void {
      for (const { name, value, attributes } of setCookies) {
        const domain = attributes.get("domain")?.toLowerCase();
        if (domain !== undefined && host !== domain && !host.endsWith(`.${domain}`)) continue;
        const key = `${name} ${domain ?? "host only"}`;
        if (attributes.get("max-age") === "0") cookies.delete(key);
        else cookies.set(key, { name, value, domain });
      }
    },
    header: (): string => [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; "),
    /** Returns names such as `auth_access example.test`, or the bare name of a cookie that stays with its host. */
    names: (): string[] =>
      [...cookies.values()].map(({ name, domain }) => (domain === undefined ? name : `${name} ${domain}`)).toSorted(),
  };
}

export type Jar = ReturnType<typeof createJar>;
