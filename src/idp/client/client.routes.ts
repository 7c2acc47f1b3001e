import { Elysia } from "elysia";
import { AppError } from "../../core/errors.ts";
import { hidden, queryOf } from "../../http/index.ts";
import type { Client } from "./client.ts";
import { placeOf } from "./redirect.uri.ts";

interface ClientRouteOptions {
  readonly find: (id: string) => Promise<Client | undefined>;
}

const clientPath = "/oauth2/client";

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

/** Says for whom people sign in, to the sign-in page. A name that nobody here has checked is worth nothing: its host stands in for it. */
export const clientRoutes = ({ find }: ClientRouteOptions) =>
  new Elysia({ name: "idp/client" }).get(
    clientPath,
    async ({ request, set }) => {
      const id = queryOf(request).get("client_id") ?? "";
      const client = id === "" ? undefined : await find(id);
      if (client === undefined || client.settings.type === "machine") throw new AppError("not_found");
      const host = hostOfClient(client);
      const name = client.origin === "operator" ? client.name : host;
      if (name === undefined) throw new AppError("not_found");
      set.headers["cache-control"] = "public, max-age=300";
      return { name, host: host ?? null };
    },
    hidden,
  );
