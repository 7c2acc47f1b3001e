import { Elysia, t } from "elysia";
import { cookieWords, invitationRefusals, type FederatedAuth } from "../auth/index.ts";
import {
  errorResponses,
  errorResponsesAt,
  formOf,
  grouped,
  operation,
  queryOf,
  type QueryParameter,
} from "../http/index.ts";
import type { Navigation } from "./navigation.ts";
import { absent, providerParams } from "./provider.params.ts";
import { hintSchema } from "./start.ts";

const notStarted = { ...absent, ...errorResponses("invalid_payload", "rate_limited", "oauth_exchange_failed") };
const toProvider = { 302: t.Literal(""), ...notStarted };
const toNext = {
  303: t.Literal(""),
  ...absent,
  ...errorResponses(
    "invalid_payload",
    "invalid_oauth_state",
    "oauth_denied",
    "oauth_email_missing",
    "account_inactive",
    "email_not_verified",
    "registration_closed",
    "denied_by_hook",
    ...invitationRefusals,
    "invitation_sign_in_required",
    "identity_link_required",
    "identity_already_linked",
    "oauth_exchange_failed",
  ),
  // A linking is for the session that began it.
  ...errorResponsesAt(401, "invalid_oauth_state", "invalid_invitation_token", "unauthorized"),
};
const startAnswers = {
  302: "To the provider",
  303: "To the sign-in page, which says why a navigation was refused",
};
const callbackAnswers = {
  303: "To `next`, signed in; to the sign-in page with `challenge`, where a second factor is asked for; a navigation that was refused to the sign-in page, which says why",
};
/** What a provider sends the browser back with (RFC 6749 §4.1.2), by query or by form. */
const responseFields = {
  state: {
    description: "What the start has sent, once",
    required: true,
    schema: { type: "string" as const, minLength: 1 },
  },
  code: { description: "To be exchanged for what the provider knows of the user" },
  iss: { description: "Who answers (RFC 9207)" },
  error: { description: "Why the provider refused" },
};
/** What a page may say with a start, by query or by form. */
const askedFields = {
  next: { description: "A path or an address of this origin to go to afterwards" },
  login_hint: { description: "Whom the provider's page should expect: handed on as it is", schema: hintSchema },
};
/** What a provider says besides where it begins the sign-in itself (OpenID Connect Core §4). */
const startFields = {
  ...askedFields,
  iss: {
    description: "The provider's issuer: the start is refused where this provider has another one",
    schema: hintSchema,
  },
  target_link_uri: { description: "Stands for `next` where that is not sent" },
};
type Described = Readonly<
  Record<string, Omit<QueryParameter, "name" | "in" | "schema"> & Partial<Pick<QueryParameter, "schema">>>
>;
const plain = { type: "string" } as const;
const queryOfFields = (fields: Described): QueryParameter[] =>
  Object.entries(fields).map(([name, { schema = plain, ...rest }]) => ({ name, in: "query", ...rest, schema }));
const formOfFields = (fields: Described) => ({
  required: Object.values(fields).some(({ required }) => required === true),
  content: {
    "application/x-www-form-urlencoded": {
      schema: {
        type: "object" as const,
        properties: Object.fromEntries(
          Object.entries(fields).map(([name, { description, schema = plain }]) => [name, { ...schema, description }]),
        ),
        required: Object.keys(fields).filter((name) => fields[name]?.required === true),
      },
    },
  },
});

/** Browsers navigate to these routes, so that they are answered with redirects. */
export const oauthRoutes = (guard: FederatedAuth["guard"], { start, callback }: Navigation) =>
  new Elysia({ prefix: "/api/v1/auth/oauth/:provider", ...grouped("OAuth") })
    .use(guard)
    .get("/start", (visit) => start(visit, () => queryOf(visit.request)), {
      params: providerParams,
      response: toProvider,
      detail: operation("startProviderLogin", {
        summary: "Sign in with a provider",
        description: "Also the `initiate_login_uri` of a provider that begins sign-ins itself.",
        answers: startAnswers,
        parameters: queryOfFields(startFields),
      }),
    })
    .post("/start", (visit) => start(visit, () => formOf(visit.body)), {
      params: providerParams,
      response: { 303: t.Literal(""), ...notStarted },
      detail: operation("startProviderLoginByForm", {
        summary: "The same by a form of a page of this origin, which puts nothing into the address",
        answers: { 303: "To the provider; to the sign-in page, which says why a navigation was refused" },
        requestBody: formOfFields(startFields),
      }),
    })
    .get("/link/start", (visit) => start(visit, () => queryOf(visit.request), visit.session), {
      requireAuth: true,
      params: providerParams,
      response: { ...toProvider, ...errorResponses("cross_site_request", "reauthentication_required") },
      detail: operation("startProviderLink", {
        summary: "Link a provider to your account",
        answers: startAnswers,
        parameters: queryOfFields(askedFields),
      }),
    })
    .get("/callback", (visit) => callback(visit, () => queryOf(visit.request)), {
      params: providerParams,
      response: toNext,
      detail: operation("completeProviderLogin", {
        summary: "Where the provider sends the browser back",
        answers: callbackAnswers,
        cookies: { 303: cookieWords.signIn },
        parameters: queryOfFields(responseFields),
      }),
    })
    .post("/callback", (visit) => callback(visit, () => formOf(visit.body)), {
      params: providerParams,
      response: toNext,
      detail: operation("completeProviderLoginByForm", {
        summary: "The same as a form that the provider's page posts",
        answers: callbackAnswers,
        cookies: { 303: cookieWords.signIn },
        requestBody: formOfFields(responseFields),
      }),
    });
