import { Elysia, t } from "elysia";
import { invitationRefusals, type FederatedAuth } from "../auth/index.ts";
import { tokenHash } from "../core/crypto.ts";
import { AppError } from "../core/errors.ts";
import { bodyOf, errorResponses, field, operation, type BrowserBinding, grouped } from "../http/index.ts";
import type { OAuthService } from "./oauth.service.ts";
import { absent, providerParams } from "./provider.params.ts";
import type { Provider } from "./provider.ts";

interface InvitedRouteOptions {
  readonly auth: Pick<FederatedAuth, "clientOf" | "limitInvitation" | "acceptance">;
  readonly oauth: OAuthService;
  readonly providers: readonly Provider[];
  readonly browsers: BrowserBinding;
}

const Start = bodyOf({
  token: field.text({ most: 512, mayBeEmpty: true, schema: { description: "As it was mailed" } }),
  next: field.optional(
    field.text({ most: 2_048, schema: { description: "A path of this origin to go to afterwards" } }),
  ),
});
const Started = t.Object({ ok: t.Literal(true), location: t.String() });

/**
 * Begins a sign-in with a provider that accepts an invitation. Other sign-ins begin with a navigation. This one begins with a request of
 * the page, so that the invitation's token stands in no address.
 */
export const invitedRoutes = ({ auth, oauth, providers, browsers }: InvitedRouteOptions) =>
  new Elysia({ prefix: "/api/v1/auth/oauth/:provider", ...grouped("OAuth") }).post(
    "/invitation/start",
    async ({ body, params, request, set }) => {
      const client = auth.clientOf(request);
      const provider = providers.find(({ name }) => name === params.provider);
      if (provider === undefined) throw new AppError("not_found");
      await auth.limitInvitation(client, body.token);
      const invitationHash = tokenHash(body.token);
      await auth.acceptance.welcomeByHash(invitationHash);
      const browser = browsers.bind(set, request, provider.formPost);
      const location = await oauth.start(provider, browser, { next: body.next }, client, { invitationHash });
      return { ok: true as const, location };
    },
    {
      params: providerParams,
      body: Start,
      response: {
        200: Started,
        ...absent,
        ...errorResponses(...invitationRefusals, "rate_limited", "oauth_exchange_failed"),
      },
      detail: operation("startInvitedLogin", {
        summary: "Accept a mailed invitation with a provider: answers where to send the browser",
        description:
          "The account gets the invited address, which the token proves, whatever address the provider knows.",
      }),
    },
  );
