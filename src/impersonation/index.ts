import { Elysia } from "elysia";
import { impersonationPath, type ImpersonationAuth } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import { basePath } from "../core/address/url.parts.ts";
import { AppError } from "../core/errors.ts";
import type { Module } from "../core/module.ts";
import { hidden, queryOf, type RequestFacts } from "../http/index.ts";
import { leadTo, type PageHead } from "../http/pages/answer.ts";
import type { Words } from "../words/index.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import { standalonePage } from "../http/pages/standalone.tsx";

interface ImpersonationOptions {
  readonly config: Pick<Config, "app" | "http">;
  readonly auth: ImpersonationAuth;
  readonly words: Words;
  readonly brand: Pick<Brand, "mark" | "alone">;
  readonly facts: RequestFacts;
}

const wellFormed = /^[\w-]{43}$/;

/** Whether somebody goes to the page with their own browser. What loads pages ahead, or within others, must not use the secret up. */
function isVisit({ headers }: Request, method: string): boolean {
  const [destination, mode] = [
    headers.get("sec-fetch-dest") ?? "document",
    headers.get("sec-fetch-mode") ?? "navigate",
  ];
  return method === "GET" && destination === "document" && mode === "navigate" && !headers.has("sec-purpose");
}

/** The two ends of a session of staff in somebody's name: where a browser gets it, and where a page without scripts gives it back. */
export function impersonationPages(options: ImpersonationOptions): Module<ReturnType<typeof routesOf>> {
  const isOwn = (path: string): boolean => path === impersonationPath;
  return { routes: routesOf(options), takesForm: isOwn, isHidden: isOwn, isNavigated: isOwn };
}

function routesOf({ config, auth, words, brand, facts }: ImpersonationOptions) {
  const base = basePath(config.app.url);
  const page = standalonePage(brand.alone, words, (language) => words.say(language, "service").wayOver);
  const start = config.http.pagesEnabled ? `${base}/account` : brand.mark.home;

  /** The address that was asked for holds the secret: nobody is told where the browser comes from. */
  const lead = (head: PageHead, to: string): string => {
    head.headers["referrer-policy"] = "no-referrer";
    return leadTo(head, to);
  };

  function refuse(request: Request, head: PageHead, refusal: AppError): string {
    const { status, retryAfterSeconds } = refusal;
    auth.refused(refusal);
    head.status = status;
    head.headers["content-type"] = "text/html; charset=utf-8";
    head.headers["content-security-policy"] = page.policy();
    head.headers["cache-control"] = "no-store";
    head.headers["referrer-policy"] = "no-referrer";
    head.headers["vary"] = "Accept-Language";
    if (retryAfterSeconds !== undefined) head.headers["retry-after"] = String(retryAfterSeconds);
    return page.html(request);
  }

  return new Elysia({ name: "impersonation" })
    .get(
      impersonationPath,
      async ({ request, set }) => {
        const secret = queryOf(request).get("token") ?? "";
        if (!isVisit(request, facts.method(request)) || !wellFormed.test(secret))
          return refuse(request, set, new AppError("forbidden"));
        try {
          await auth.begin(request, set, secret);
          return lead(set, start);
        } catch (error) {
          if (error instanceof AppError && error.status < 500) return refuse(request, set, error);
          throw error;
        }
      },
      hidden,
    )
    .post(
      impersonationPath,
      async ({ request, set }) => {
        if (facts.isCrossSite(request)) throw new AppError("cross_site_request");
        return lead(set, (await auth.end(request, set)) ?? brand.mark.home);
      },
      hidden,
    );
}
