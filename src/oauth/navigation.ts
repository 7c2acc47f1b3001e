import type { FederatedAuth, SessionRow } from "../auth/index.ts";
import { AppError } from "../core/errors.ts";
import { type BrowserBinding, type RequestFacts, type ResponseHead } from "../http/index.ts";
import type { OAuthService } from "./oauth.service.ts";
import type { FindProvider, Provider } from "./provider.ts";
import { readStart } from "./start.ts";

interface NavigationOptions {
  readonly auth: Pick<FederatedAuth, "clientOf" | "sessionOf" | "setChallenge" | "setVouched" | "cookies">;
  readonly oauth: OAuthService;
  readonly providerOf: FindProvider;
  readonly browsers: BrowserBinding;
  /** Path of APP_URL, without a slash at its end. */
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

export type Navigation = ReturnType<typeof createNavigation>;

/** Answers browsers that navigate, to a provider and back from it, with redirects. */
export function createNavigation({ auth, oauth, providerOf, browsers, basePath, facts }: NavigationOptions) {
  function redirect(set: Head, status: 302 | 303, location: string): "" {
    set.status = status;
    set.headers.location = location;
    return "";
  }

  async function asked({ request, set, params }: Visit, methods = "GET, POST"): Promise<Provider> {
    const provider = await providerOf(params.provider);
    if (provider === undefined) throw new AppError("not_found");
    // A link preview that sends HEAD must neither begin a sign-in nor use one up.
    if (facts.method(request) === "HEAD") {
      set.headers.allow = methods;
      throw new AppError("method_not_allowed");
    }
    return provider;
  }

  /** Sends a browser that was refused to a page that says why, by default the sign-in; other clients get the refusal as JSON. */
  async function orPage(visit: Visit, work: () => Promise<"">, pageOf = async () => "/login"): Promise<""> {
    try {
      return await work();
    } catch (error) {
      const isPage = visit.request.headers.get("accept")?.includes("text/html") === true;
      if (!(error instanceof AppError)) throw error;
      if (error.vouched !== undefined) auth.setVouched(visit.set, visit.request, error.vouched);
      if (!isPage) throw error;
      if (error.redirect !== undefined) return redirect(visit.set, 303, error.redirect);
      return redirect(visit.set, 303, `${basePath}${await pageOf()}?oauth_error=${error.reason}`);
    }
  }

  /**
   * Whether a link of another site comes to a browser in which somebody is signed in. Customers choose the providers of organizations: one
   * that answers without a question would have its owners swap a visitor's session for one of theirs.
   */
  const keepsSession = async ({ request, set }: Visit, { organization }: Provider): Promise<boolean> =>
    organization !== undefined &&
    request.headers.get("sec-fetch-site") === "cross-site" &&
    (await auth.sessionOf(request, set)) !== undefined;

  const start = (visit: Visit, read: () => URLSearchParams, session?: SessionRow): Promise<""> =>
    orPage(visit, async () => {
      const { request, set } = visit;
      const client = auth.clientOf(request);
      const provider = await asked(visit, session === undefined ? undefined : "GET");
      // A page of another site could otherwise make its visitors link an identity of the attacker to their accounts.
      if (session !== undefined && facts.isCrossSite(request)) throw new AppError("cross_site_request");
      const wished = readStart(read());
      if (await keepsSession(visit, provider)) return redirect(set, 302, oauth.nextOf(wished));
      const browser = browsers.bind(set, request, provider.formPost);
      const location = await oauth.start(provider, browser, wished, client, { session });
      return redirect(set, request.method === "POST" ? 303 : 302, location);
    });

  async function callback(visit: Visit, read: () => URLSearchParams): Promise<""> {
    const { request, set } = visit;
    const seen = auth.clientOf(request);
    // With a form of another site the browser does not show whether the account knows it.
    const client = request.method === "POST" && seen.devices?.length === 0 ? { ...seen, devices: undefined } : seen;
    const responseTo = (provider: Provider) => ({
      params: read(),
      browser: browsers.read(request, provider.formPost),
    });
    const complete = async (): Promise<""> => {
      const provider = await asked(visit);
      const response = responseTo(provider);
      const session = () => auth.sessionOf(request, set);
      const isForm = request.method === "POST";
      // A browser sends no session cookies with a form from another site. With the redirect, which is a GET, it sends them.
      if (isForm && (await oauth.purposeOf(provider, response)) === "link" && (await session()) === undefined)
        return redirect(set, 303, `${callbackPath(provider)}?${queryFrom(response.params).toString()}`);
      const { next, signIn, newcomer } = await oauth.finish(provider, response, client, session);
      if (newcomer !== undefined) {
        // The cookie lasts as long as the state again.
        browsers.bind(set, request, provider.formPost);
        const query = new URLSearchParams({ newcomer, provider: provider.name, next });
        return redirect(set, 303, `${basePath}/register?${query.toString()}`);
      }
      if (signIn !== undefined && "challenge" in signIn) {
        auth.setChallenge(set, request, signIn.challenge);
        const query = new URLSearchParams({ challenge: signIn.challenge.id, next });
        return redirect(set, 303, `${basePath}/login?${query.toString()}`);
      }
      if (signIn !== undefined) auth.cookies.signIn(set, request, signIn);
      return redirect(set, 303, next);
    };
    return orPage(visit, complete, async () => {
      const provider = await providerOf(visit.params.provider);
      const purpose = provider && (await oauth.purposeOf(provider, responseTo(provider)));
      return purpose === "invitation" ? "/accept-invitation" : "/login";
    });
  }

  const callbackPath = ({ name }: Provider): string => `${basePath}${callbackRoute(name)}`;

  return { start, callback };
}

export const callbackRoute = (provider: string): string => `/api/v1/auth/oauth/${provider}/callback`;
export const startRoute = (provider: string): string => `/api/v1/auth/oauth/${provider}/start`;

const passedOn = ["state", "code", "iss", "error"];
const queryFrom = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...form].filter(([name]) => passedOn.includes(name)));
