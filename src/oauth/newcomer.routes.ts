import { Elysia } from "elysia";
import {
  acceptedTerms,
  cookieWords,
  invitationRefusals,
  presentUser,
  SignedInUser,
  type FederatedAuth,
} from "../auth/index.ts";
import { AppError } from "../core/errors.ts";
import { bodyOf, errorResponses, field, grouped, operation, type BrowserBinding } from "../http/index.ts";
import type { OAuthService } from "./oauth.service.ts";
import { absent, providerParams } from "./provider.params.ts";
import type { FindProvider } from "./provider.ts";

interface NewcomerRouteOptions {
  readonly auth: Pick<FederatedAuth, "clientOf" | "cookies">;
  readonly oauth: Pick<OAuthService, "register">;
  readonly providerOf: FindProvider;
  readonly browsers: BrowserBinding;
}

const Acceptance = bodyOf({
  state: field.text({
    most: 128,
    schema: { description: "`newcomer` of the address that the provider's callback led to" },
  }),
  accepted_terms: acceptedTerms,
});

/** Where somebody goes on who came by a provider for the first time, once they have accepted the terms. */
export const newcomerRoutes = ({ auth, oauth, providerOf, browsers }: NewcomerRouteOptions) =>
  new Elysia({ prefix: "/api/v1/auth/oauth/:provider", ...grouped("OAuth") }).post(
    "/register",
    async ({ body, params, request, set }) => {
      const provider = await providerOf(params.provider);
      if (provider === undefined) throw new AppError("not_found");
      const answered = { state: body.state, browser: browsers.read(request, provider.formPost) };
      const signedIn = await oauth.register(provider, answered, body.accepted_terms, auth.clientOf(request));
      auth.cookies.signIn(set, request, signedIn);
      return { ok: true as const, user: presentUser(signedIn.user) };
    },
    {
      params: providerParams,
      body: Acceptance,
      response: {
        200: SignedInUser,
        ...absent,
        ...errorResponses(
          "invalid_payload",
          "terms_required",
          "invalid_oauth_state",
          "domain_not_allowed",
          "denied_by_hook",
          "registration_closed",
          "email_not_verified",
          "account_inactive",
          "identity_link_required",
          "identity_already_linked",
          ...invitationRefusals,
          "invitation_sign_in_required",
        ),
      },
      detail: operation("registerByProvider", {
        cookies: { 200: cookieWords.signIn },
        summary: "Accept the terms, where a provider has vouched for somebody who has no account yet",
        description:
          "The callback has led to `/register` with `newcomer`, `provider` and `next`. The account is made here, and not before.",
      }),
    },
  );
