import { nextUrl } from "../../core/address/next.url.ts";
import type { AllowedOrigins } from "../../core/address/origins.ts";

interface NextOptions {
  readonly origin: string;
  /** Other origins that a sign-in may lead to. */
  readonly allowed?: AllowedOrigins;
  readonly href: (path: string) => string;
  /** The page that a sign-in leads to where it names no other. */
  readonly home: string;
  /** Whether an address is a page that leads to no other host. Default: all of them are. */
  readonly isOwn?: (address: string) => boolean;
}

export type Next = ReturnType<typeof createNext>;

/** The page that leads on from a form of the sign-in. */
export const onwardPath = "/login/on";

/** Decides where a sign-in leads. What a link or a form names is judged each time that it comes. */
export function createNext({ origin, allowed, href, home, isOwn }: NextOptions) {
  /** Returns the page after a sign-in: a path of this origin or an address on an allowed one, or otherwise the first page of the app. */
  const of = (named: string | null): string =>
    (named === null ? undefined : nextUrl(named, { origin, ...(allowed && { allowed }) })) ?? href(home);
  return {
    of,
    /** Whether a sign-in may lead to another host. */
    leadsElsewhere: isOwn !== undefined,

    /**
     * Returns the page that a form of the sign-in leads to. Browsers follow the redirects of a form to this host alone, as the policy of its
     * page says: to what may lead elsewhere a page of its own goes on.
     */
    after(named: string | null): string {
      const next = of(named);
      return isOwn?.(next) !== false ? next : `${href(onwardPath)}?next=${encodeURIComponent(next)}`;
    },
  };
}
