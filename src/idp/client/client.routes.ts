import { Elysia } from "elysia";
import type { ProviderAuth } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { hidden, queryOf } from "../../http/index.ts";
import type { FindClient } from "./client.ts";
import { hostOfClient } from "./client.name.ts";

interface ClientRouteOptions {
  readonly auth: Pick<ProviderAuth, "clientOf">;
  readonly find: FindClient;
}

const clientPath = "/oauth2/client";

/** Says for whom people sign in, to the sign-in page. A name that nobody here has checked is worth nothing: its host stands in for it. */
export const clientRoutes = ({ auth, find }: ClientRouteOptions) =>
  new Elysia({ name: "idp/client" }).get(
    clientPath,
    async ({ request, set }) => {
      const id = queryOf(request).get("client_id") ?? "";
      const client = id === "" ? undefined : await find(id, auth.clientOf(request));
      if (client === undefined || client.settings.type === "machine") throw new AppError("not_found");
      const host = hostOfClient(client);
      const name = client.origin === "operator" ? client.name : host;
      if (name === undefined) throw new AppError("not_found");
      set.headers["cache-control"] = "public, max-age=300";
      return { name, host: host ?? null };
    },
    hidden,
  );
