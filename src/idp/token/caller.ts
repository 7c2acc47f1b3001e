import type { Client as Requester, ProviderAuth } from "../../auth/index.ts";
import type { AuthenticateClient } from "../client/authentication.ts";
import type { Client } from "../client/client.ts";
import type { Clients } from "../client/clients.ts";
import type { Call } from "../protocol/http.ts";

interface CallerOptions {
  readonly auth: Pick<ProviderAuth, "clientOf">;
  readonly authenticate: AuthenticateClient;
  readonly clients: Pick<Clients, "used">;
}

/** Returns the client that a call comes from, once it has proven who it is. Throws `invalid_client`. */
export const createCallerOf =
  ({ auth, authenticate, clients }: CallerOptions) =>
  async ({ request, params }: Call): Promise<{ readonly client: Client; readonly requester: Requester }> => {
    const requester = auth.clientOf(request);
    const client = await authenticate(request, params, requester);
    await clients.used(client);
    return { client, requester };
  };

export type CallerOf = ReturnType<typeof createCallerOf>;
