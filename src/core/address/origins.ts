/** Origins, besides the service's own, whose pages may call the service and may be where people are sent. */
export interface AllowedOrigins {
  /** As browsers write them; they are compared character by character. */
  readonly listed: readonly string[];
  /** Whether pages of this machine count, whatever their port: on a developer's machine alone. */
  readonly loopback: boolean;
}

const loopback = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?=\/|$)/;

/** Whether browsers write an origin like this. What is none, as one with the port 99999, can't be read at all. */
function isWritten(origin: string): boolean {
  try {
    return new URL(origin).origin === origin;
  } catch {
    return false;
  }
}

/**
 * Returns the origin that an address begins with where that names this machine, as browsers write it. A name that somebody else makes
 * resolve to this machine is none of these, and neither is `null`, the origin of a sandboxed page.
 */
export function loopbackOrigin(address: string): string | undefined {
  const origin = loopback.exec(address)?.[0];
  return origin !== undefined && isWritten(origin) ? origin : undefined;
}

export const isLoopbackOrigin = (origin: string): boolean => loopbackOrigin(origin) === origin;

export const isAllowedOrigin = (origin: string, { listed, loopback: ours }: AllowedOrigins): boolean =>
  listed.includes(origin) || (ours && isLoopbackOrigin(origin));

const longestOrigin = 300;

/** Returns an origin as it was sent where it is one of an http or https page, as browsers write it; undefined for `null` and all else. */
export function pageOrigin(sent: string): string | undefined {
  const url = sent.length > longestOrigin ? null : URL.parse(sent);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === sent ? sent : undefined;
}
