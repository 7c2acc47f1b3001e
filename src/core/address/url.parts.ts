/** Returns the host, without the brackets that a URL puts around an IPv6 address. */
export const hostOf = ({ hostname }: Pick<URL, "hostname">): string => hostname.replace(/^\[|\]$/g, "");

/** Writes a host as a URL has it: an IPv6 address in brackets. */
export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** Where a server listens: an address, of IPv6 without brackets, or a name, and a port. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

export const placeInUrl = ({ host, port }: ServerPlace): string => `${hostInUrl(host)}:${port}`;

/** Whether a host is that domain, or lies below it. */
export const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Decodes a percent-encoded part of a URL. Returns undefined when the bytes are no text. */
export function percentDecoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const withoutEndSlashes = (text: string): string => text.replace(/\/+$/, "");

/** Returns a URL to which a path that begins with a slash can be appended. */
export const baseUrl = ({ href }: URL): string => withoutEndSlashes(href);

/** Returns the path of a URL, to which another path can be appended; empty for the root. */
export const basePath = ({ pathname }: URL): string => withoutEndSlashes(pathname);

/**
 * Returns the URL at which browsers use the passkeys of a service. Browsers make no passkeys for IP addresses (WebAuthn, "Relying Party
 * Identifier"), so a loopback address becomes `localhost`.
 */
export function passkeyUrl(url: URL): URL {
  if (!["127.0.0.1", "::1"].includes(hostOf(url))) return url;
  const named = new URL(url);
  named.hostname = "localhost";
  return named;
}
