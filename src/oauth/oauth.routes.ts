import { Elysia, t } from "elysia";
import { cookieWords, invitationRefusals, type FederatedAuth, type SessionRow } from "../auth/index.ts";
import { AppError } from "../core/errors.ts";
import {
  errorResponses,
  errorResponsesAt,
  formOf,
  isCrossSite,
  operation,
  type BrowserBinding,
  type QueryParameter,
  type RequestFacts,
  type ResponseHead,
  grouped,
} from "../http/index.ts";
import type { OAuthService } from "./oauth.service.ts";
import { absent, providerParams } from "./provider.params.ts";
import type { Provider } from "./provider.ts";

interface OAuthRouteOptions {
  readonly auth: FederatedAuth;
  readonly oauth: OAuthService;
  readonly providers: readonly Provider[];
  readonly browsers: BrowserBinding;
  readonly appUrl: URL;
  /** The path of APP_URL, without a slash at its end. */
  readonly basePath: string;
  readonly facts: RequestFacts;
}

interface Head extends ResponseHead {
  headers: { "set-cookie"?: string | string[]; location?: string; allow?: string };
  status?: number | string;
}

interface Visit {
  readonly request: Request;
  readonly set: Head;
  readonly params: { readonly provider: string };
}

const toProvider = { 302: t.Literal("") };
const toNext = { 303: t.Literal("") };
const startRefusals = { ...absent, ...errorResponses("rate_limited", "oauth_exchange_failed") };
const callbackRefusals = {
  ...absent,
  ...errorResponses(
    "invalid_payload",
    "invalid_oauth_state",
    "oauth_denied",
    "oauth_email_missing",
    "account_inactive",
    "email_not_verified",
    "registration_closed",
    ...invitationRefusals,
    "invitation_sign_in_required",
    "identity_link_required",
    "identity_already_linked",
    "oauth_exchange_failed",
  ),
  // Only the session that began a linking may end it.
  ...errorResponsesAt(401, "invalid_oauth_state", "invalid_invitation_token", "unauthorized"),
};
const next: QueryParameter = {
  name: "next",
  in: "query",
  description: "A path of this origin to go to afterwards",
  schema: { type: "string" },
};
const startAnswers = {
  302: "To the provider",
  303: "To the sign-in page, which says why a navigation was refused",
};
const callbackAnswers = {
  303: "To `next`, signed in; to the sign-in page with `challenge`, where a second factor is asked for; a navigation that was refused to the sign-in page, which says why",
};
/** Fields with which a provider sends the browser back (RFC 6749 §4.1.2), by query or by form. */
const responseFields = {
  state: "What the start has sent",
  code: "To be exchanged for what the provider knows of the user",
  iss: "Who answers (RFC 9207)",
  error: "Why the provider refused",
};
const responseParameters: QueryParameter[] = Object.entries(responseFields).map(([name, description]) => ({
  name,
  in: "query",
  description,
  schema: { type: "string" },
}));
const responseForm = {
  content: {
    "application/x-www-form-urlencoded": {
      schema: {
        type: "object" as const,
        properties: Object.fromEntries(
          Object.entries(responseFields).map(([name, description]) => [name, { type: "string" as const, description }]),
        ),
      },
    },
  },
};

/** Routes that browsers navigate to, which are answered with redirects. */
export function oauthRoutes({ auth, oauth, providers, browsers, appUrl, basePath, facts }: OAuthRouteOptions) {
  function redirect(set: Head, status: 302 | 303, location: string): "" {
    set.status = status;
    set.headers.location = location;
    return "";
  }

  function providerOf({ request, set, params }: Visit): Provider {
    const provider = providers.find(({ name }) => name === params.provider);
    if (provider === undefined) throw new AppError("not_found");
    // A link preview that sends HEAD must neither begin a sign-in nor use one up.
    if (facts.method(request) === "HEAD") {
      set.headers.allow = "GET";
      throw new AppError("method_not_allowed");
    }
    return provider;
  }

  /** Sends a browser that was refused to a page that says why, by default the sign-in page. Other clients get the refusal as JSON. */
  async function orPage(visit: Visit, work: () => Promise<"">, pageOf = async () => "/login"): Promise<""> {
    try {
      return await work();
    } catch (error) {
      const isPage = visit.request.headers.get("accept")?.includes("text/html") === true;
      if (!(error instanceof AppError) || !isPage) throw error;
      return redirect(visit.set, 303, `${basePath}${await pageOf()}?oauth_error=${error.reason}`);
    }
  }

  const start = (visit: Visit, session?: SessionRow): Promise<""> =>
    orPage(visit, async () => {
      const { request, set } = visit;
      const client = auth.clientOf(request);
      const provider = providerOf(visit);
      // A page of another site could otherwise make its visitors link an identity of the attacker to their accounts.
      if (session !== undefined && isCrossSite(request, appUrl.origin)) throw new AppError("cross_site_request");
      const [next] = queryOf(request).getAll("next");
      const browser = browsers.bind(set, request, provider.formPost);
      return redirect(set, 302, await oauth.start(provider, browser, next, client, { session }));
    });

  async function callback(visit: Visit, read: () => URLSearchParams): Promise<""> {
    const { request, set } = visit;
    const client = auth.clientOf(request);
    const responseTo = (provider: Provider) => ({
      params: read(),
      browser: browsers.read(request, provider.formPost),
    });
    const complete = async (): Promise<""> => {
      const provider = providerOf(visit);
      const response = responseTo(provider);
      const session = () => auth.sessionOf(request, set);
      const isForm = request.method === "POST";
      // A browser sends no session cookies with a form from another site. A redirect makes it a GET, with which they are sent.
      if (isForm && (await oauth.purposeOf(provider, response)) === "link" && (await session()) === undefined)
        return redirect(set, 303, `${callbackPath(provider)}?${queryFrom(response.params).toString()}`);
      const { next, signIn } = await oauth.finish(provider, response, client, session);
      if (signIn !== undefined && "challenge" in signIn) {
        auth.setChallenge(set, request, signIn.challenge);
        const query = new URLSearchParams({ challenge: signIn.challenge.id, next });
        return redirect(set, 303, `${basePath}/login?${query.toString()}`);
      }
      if (signIn !== undefined) auth.cookies.signIn(set, request, signIn);
      return redirect(set, 303, next);
    };
    return orPage(visit, complete, async () => {
      const provider = providers.find(({ name }) => name === visit.params.provider);
      const purpose = provider && (await oauth.purposeOf(provider, responseTo(provider)));
      return purpose === "invitation" ? "/accept-invitation" : "/login";
    });
  }

  const callbackPath = ({ name }: Provider): string => `${basePath}${callbackRoute(name)}`;

  return new Elysia({ prefix: "/api/v1/auth/oauth/:provider", ...grouped("OAuth") })
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .use(auth.guard)
    .get("/start", (visit) => start(visit), {
      params: providerParams,
      response: { ...toProvider, ...startRefusals },
      detail: operation("startProviderLogin", {
        summary: "Sign in with a provider",
        answers: startAnswers,
        parameters: [next],
      }),
    })
    .get("/link/start", (visit) => start(visit, visit.session), {
      requireAuth: true,
      params: providerParams,
      response: {
        ...toProvider,
        ...startRefusals,
        ...errorResponses("cross_site_request", "reauthentication_required"),
      },
      detail: operation("startProviderLink", {
        summary: "Link a provider to your account",
        answers: startAnswers,
        parameters: [next],
      }),
    })
    .get("/callback", (visit) => callback(visit, () => queryOf(visit.request)), {
      params: providerParams,
      response: { ...toNext, ...callbackRefusals },
      detail: operation("completeProviderLogin", {
        summary: "Where the provider sends the browser back",
        answers: callbackAnswers,
        cookies: { 303: cookieWords.signIn },
        parameters: responseParameters,
      }),
    })
    .post("/callback", (visit) => callback(visit, () => formOf(visit.body)), {
      params: providerParams,
      response: { ...toNext, ...callbackRefusals },
      detail: operation("completeProviderLoginByForm", {
        summary: "The same as a form that the provider's page posts",
        answers: callbackAnswers,
        cookies: { 303: cookieWords.signIn },
        requestBody: responseForm,
      }),
    });
}

export const callbackRoute = (provider: string): string => `/api/v1/auth/oauth/${provider}/callback`;

/** Reads the query without the URL class: the URL of a request by HTTP/1.0 may be relative. */
const queryOf = ({ url }: Request): URLSearchParams => {
  const mark = url.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1));
};

const passedOn = ["state", "code", "iss", "error"];
const queryFrom = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...form].filter(([name]) => passedOn.includes(name)));
