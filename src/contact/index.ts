import { Elysia, t } from "elysia";
import { baseUrl } from "../core/address/url.parts.ts";
import type { Clock, Millis } from "../core/clock.ts";
import type { Module } from "../core/module.ts";
import { supportMs } from "../core/support.ts";
import { grouped, operation } from "../http/index.ts";

interface ContactOptions {
  /** Addresses of the security contact, the preferred one first; empty where nobody is named. */
  readonly contacts: readonly string[];
  readonly appUrl: URL;
  /** The time of the sources that this program was built of; undefined where they run as they are. */
  readonly builtAt: Millis | undefined;
  readonly clock: Clock;
}

const path = "/.well-known/security.txt";

/** What is said with a release goes stale with it: nobody looks after a host that has run one for longer than a year. */
const expiryOf = (builtAt: Millis | undefined, now: Millis): Millis =>
  Math.min((builtAt ?? now) + supportMs, now + supportMs);

/** Says whom to tell about a hole, where people and programs look for it (RFC 9116). */
export function createContact({ contacts, appUrl, builtAt, clock }: ContactOptions) {
  const routes = new Elysia(grouped("Probes")).get(
    path,
    ({ set }) => {
      set.headers["content-type"] = "text/plain; charset=utf-8";
      set.headers["cache-control"] = "public, max-age=86400";
      const expires = new Date(expiryOf(builtAt, clock.now())).toISOString();
      return [
        ...contacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${expires}`,
        "Preferred-Languages: en, de",
        `Canonical: ${baseUrl(appUrl)}${path}`,
        "",
      ].join("\n");
    },
    {
      response: { 200: t.String() },
      detail: operation("securityTxt", {
        summary: "Whom to tell about a hole (RFC 9116)",
        description: "Where `SECURITY_CONTACT` is set.",
      }),
    },
  );
  const module: Module<typeof routes> = contacts.length > 0 ? { routes } : { described: routes.routes };
  return module;
}
