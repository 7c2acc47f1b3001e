import { Elysia } from "elysia";
import { AppError } from "../../core/errors.ts";
import { hidden, queryOf } from "../../http/index.ts";
import type { Client } from "./client.ts";
import { placeOf, placesOf } from "./redirect.uri.ts";

interface ClientRouteOptions {
  readonly find: (id: string) => Promise<Client | undefined>;
}

const clientPath = "/oauth2/client";

/** Returns the place that a client leads people to; undefined for one that leads to several, of which a request names any. */
export function hostOfClient(client: Client): string | undefined {
  if (client.origin === "document") return placeOf(client.id);
  const [place, ...others] = placesOf(client);
  return others.length === 0 ? place : undefined;
}

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
