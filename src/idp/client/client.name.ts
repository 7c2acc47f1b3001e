import type { Client } from "./client.ts";
import { placeOf } from "./redirect.uri.ts";

/** Returns the place that a client leads people to; undefined for one that leads to several, of which a request names any. */
export function hostOfClient({ id, origin, settings }: Client): string | undefined {
  if (origin === "document") return placeOf(id);
  const places = new Set(settings.redirect_uris.map(placeOf));
  const [place] = places;
  return places.size === 1 ? place : undefined;
}

/** A name that nobody here has checked is worth nothing: the host stands in for it, where there is one. */
export const nameOfClient = (client: Client): string =>
  client.origin === "operator" ? client.name : (hostOfClient(client) ?? client.name);
