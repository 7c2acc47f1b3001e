/** The host, an IPv6 address without the brackets that it has in a URL. */
export const hostOf = ({ hostname }: Pick<URL, "hostname">): string => hostname.replace(/^\[|\]$/g, "");

/** The text whose bytes are percent-encoded in a part of a URL; undefined where they are no text. */
export function percentDecoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const withoutEndSlashes = (text: string): string => text.replace(/\/+$/, "");

/** A URL to which a path is added that begins with a slash. */
export const baseUrl = ({ href }: URL): string => withoutEndSlashes(href);

/** The path of a URL, to which another one is added; empty for the root. */
export const basePath = ({ pathname }: URL): string => withoutEndSlashes(pathname);

/**
 * Where browsers use the passkeys of what is at that URL. They make none for an address (WebAuthn, "Relying Party Identifier"), and
 * this machine has a name as well.
 */
export function passkeyUrl(url: URL): URL {
  if (!["127.0.0.1", "::1"].includes(hostOf(url))) return url;
  const named = new URL(url);
  named.hostname = "localhost";
  return named;
}
