import { Elysia } from "elysia";
import { secretValues, type Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { isId } from "../../core/ids.ts";
import { render, type Html } from "../../http/pages/jsx-runtime.ts";
import { formOf, toAppError, type RequestFacts } from "../../http/index.ts";
import type { Log } from "../../observe/index.ts";
import { inspectApi } from "./api.ts";
import { createOperators } from "./operator.ts";
import { assets, pagePolicy } from "./assets.ts";
import { InspectPage } from "./inspect.page.tsx";
import { InspectsPage } from "./inspects.page.tsx";
import { RefusalPage, SignInPage, type Frame } from "./frame.tsx";
import { RuntimePage } from "./runtime.page.tsx";
import { createRuntime, type RuntimeSources } from "./runtime.ts";
import { pageAfterSignIn } from "./next.ts";
import { readSearch } from "./search.ts";
import type { InspectStore } from "../record/store.ts";

interface LighthouseOptions {
  readonly config: Config;
  readonly facts: RequestFacts;
  readonly store: InspectStore | undefined;
  readonly sources: RuntimeSources;
  readonly clock: Clock;
  readonly log: Log;
}

const root = "/lighthouse";
const hidden = { detail: { hide: true } } as const;
const sameTrace = 50;

/** The forms of these pages are sent as forms; their API takes JSON. */
export const takesForm = (path: string): boolean => path.startsWith(`${root}/`) && !path.startsWith(`${root}/api/`);

/** The pages for operators at /lighthouse, and their API. They stay up in maintenance, and as far as they can without a database. */
export function lighthouseRoutes({ config, facts, store, sources, clock, log }: LighthouseOptions) {
  const operators = createOperators({ config, facts, clock, log });
  const runtime = createRuntime({ config, sources, secrets: secretValues(config), clock });
  const { deadLetters } = sources;

  interface Head {
    status?: number | string;
    headers: Record<string, unknown> & { "set-cookie"?: string | string[] };
  }
  function show(set: Head, page: Html, status = 200): string {
    set.status = status;
    set.headers["content-type"] = "text/html; charset=utf-8";
    set.headers["content-security-policy"] = pagePolicy;
    set.headers["cache-control"] = "no-store";
    // Not `no-referrer`: with that a browser sends its own forms with an Origin of null.
    set.headers["referrer-policy"] = "same-origin";
    set.headers["cross-origin-opener-policy"] = "same-origin";
    return `<!doctype html>${render(page)}`;
  }
  function leadTo(set: Head, path: string): string {
    set.status = 303;
    set.headers["location"] = path;
    set.headers["cache-control"] = "no-store";
    return "";
  }
  const frameOf = (csrf: string | undefined): Frame => ({ app: config.app.name, env: config.app.env, csrf });

  /** A page for who is signed in; everybody else is led to the sign-in, and from there back. */
  async function forOperators(
    request: Request,
    set: Head,
    make: (frame: Frame, url: URL) => Promise<Html>,
  ): Promise<string> {
    const url = new URL(request.url, "http://localhost");
    const csrf = operators.csrfToken(request);
    if (csrf === undefined)
      return leadTo(set, `${root}/sign-in?next=${encodeURIComponent(`${url.pathname}${url.search}`)}`);
    const frame = frameOf(csrf);
    try {
      return show(set, await make(frame, url));
    } catch (error) {
      const refusal = toAppError(error);
      if (refusal.cause !== undefined)
        log.error("lighthouse page failed", { path: url.pathname, error: refusal.cause });
      return refuse(set, frame, refusal, "There is no such inspect, or it has made room for newer ones.");
    }
  }

  const refuse = (set: Head, frame: Frame, refusal: AppError, missing: string): string =>
    show(set, RefusalPage({ frame, refusal, missing }), refusal.status);

  /** What a form of these pages does, and where it leads; a refusal is a page as well. */
  async function act(request: Request, set: Head, body: unknown, work: () => Promise<string> | string) {
    try {
      operators.checkForm(request, formOf(body).get("csrf"));
      return leadTo(set, await work());
    } catch (error) {
      const refusal = toAppError(error);
      if (refusal.cause !== undefined) log.error("lighthouse form failed", { error: refusal.cause });
      const missing = "That job is not among the failed ones: it may have been tried again already.";
      return refuse(set, frameOf(operators.csrfToken(request)), refusal, missing);
    }
  }

  /** Throws `not_found` for what is no failed job. */
  async function retry(request: Request, id: string): Promise<void> {
    if (!isId(id) || !(await deadLetters.retry(id))) throw new AppError("not_found");
    log.info("a failed job is tried again", { job_id: id, address: facts.clientAddress(request) });
  }

  const pages = new Elysia({ name: "lighthouse" })
    .get(
      root,
      ({ request, set }) =>
        forOperators(request, set, async (frame, url) => {
          const search = readSearch(url.searchParams);
          const inspects = (await store?.search(search)) ?? [];
          return InspectsPage({ frame, inspects, search, recording: store !== undefined });
        }),
      hidden,
    )
    .get(
      `${root}/inspects/:id`,
      ({ request, set, params }) =>
        forOperators(request, set, async (frame) => {
          const inspect = await store?.find(params.id);
          if (inspect === undefined) throw new AppError("not_found");
          const trace = (await store?.search({ traceId: inspect.trace_id, limit: sameTrace })) ?? [];
          return InspectPage({ frame, inspect, trace });
        }),
      hidden,
    )
    .get(
      `${root}/runtime`,
      ({ request, set }) =>
        forOperators(request, set, async (frame) => RuntimePage({ frame, runtime: await runtime() })),
      hidden,
    )
    .get(
      `${root}/sign-in`,
      ({ request, set }) => {
        const next = pageAfterSignIn(
          new URL(request.url, "http://localhost").searchParams.get("next"),
          config.app.url.origin,
        );
        if (operators.csrfToken(request) !== undefined) return leadTo(set, next);
        return show(set, SignInPage({ frame: frameOf(undefined), next }));
      },
      hidden,
    )
    .post(
      `${root}/sign-in`,
      ({ body, request, set }) => {
        const form = formOf(body);
        const next = pageAfterSignIn(form.get("next"), config.app.url.origin);
        try {
          operators.signIn(request, set, form.get("secret") ?? "");
          return leadTo(set, next);
        } catch (error) {
          const refusal = toAppError(error);
          if (refusal.retryAfterSeconds !== undefined) set.headers["retry-after"] = String(refusal.retryAfterSeconds);
          return show(set, SignInPage({ frame: frameOf(undefined), next, refusal }), refusal.status);
        }
      },
      hidden,
    )
    .post(
      `${root}/sign-out`,
      ({ body, request, set }) =>
        act(request, set, body, () => {
          operators.signOut(request, set);
          return `${root}/sign-in`;
        }),
      hidden,
    )
    .post(
      `${root}/jobs/:id/retry`,
      ({ body, request, set, params }) =>
        act(request, set, body, async () => {
          await retry(request, params.id);
          return `${root}/runtime#failed-jobs`;
        }),
      hidden,
    );
  for (const { path, type, body } of assets) {
    pages.get(
      path,
      () => new Response(body, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } }),
      hidden,
    );
  }
  return pages.use(inspectApi({ operators, store, runtime, retry }));
}
