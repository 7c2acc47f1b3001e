import type { Client } from "./client.ts";
import { placeOf, placesOf } from "./redirect.uri.ts";

/** Returns the place that a client leads people to; undefined for one that leads to several, of which a request names any. */
export function hostOfClient(client: Client): string | undefined {
  if (client.origin === "document") return placeOf(client.id);
  const [place, ...others] = placesOf(client);
  return others.length === 0 ? place : undefined;
}

/** A name that nobody here has checked is worth nothing: the places that the program leads to stand in for it. */
export const nameOfClient = (client: Client): string =>
  client.origin === "operator" ? client.name : (hostOfClient(client) ?? placesOf(client).slice(0, 3).join(", "));
