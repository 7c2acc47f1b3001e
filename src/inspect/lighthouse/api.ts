import { Elysia, t } from "elysia";
import { AppError } from "../../core/errors.ts";
import { documentOnce, errorResponses, hidden, operation, grouped } from "../../http/index.ts";
import { inspectSources } from "../../observe/timeline.ts";
import { Inspect, InspectSummary } from "../record/inspect.ts";
import { operatorCookieOf, type Operators } from "./operator.ts";
import { Runtime } from "../pages/runtime.ts";
import type { InspectReader, Search } from "../record/store.ts";

interface ApiOptions {
  readonly app: string;
  readonly version: string;
  readonly operators: Operators;
  readonly inspects: InspectReader | undefined;
  readonly runtime: () => Promise<Runtime>;
  readonly retry: (request: Request, id: string) => Promise<void>;
}

const Unread = t.Object(
  {
    app: t.String(),
    why: t.UnionEnum(["absent", "other_release", "unreadable"], {
      description: "It has recorded nothing; its file is of another release; its file can't be read",
    }),
  },
  {
    title: "Unread",
    description: "The app whose inspects could not be looked at. The admin app looks at those of both",
  },
);
const text = t.Optional(t.String({ maxLength: 200 }));
const Query = t.Object({
  app: t.Optional(t.Union([t.Literal("app"), t.Literal("admin")], { description: "The app that recorded it" })),
  source: t.Optional(t.Union(inspectSources.map((source) => t.Literal(source)))),
  status: t.Optional(t.String({ maxLength: 20, description: "One status, or a class of HTTP statuses: 4xx" })),
  failed: t.Optional(t.BooleanString()),
  name: text,
  text: text,
  // Patterns bound the numbers, because the bounds of t.Numeric do not hold in the compiled binary.
  min_duration_ms: t.Optional(t.String({ pattern: "^\\d{1,9}(\\.\\d{1,3})?$" })),
  trace_id: t.Optional(t.String({ pattern: "^[0-9a-f]{32}$" })),
  user: t.Optional(t.String({ maxLength: 64, description: "The id of an account" })),
  before: t.Optional(t.String({ maxLength: 36, description: "Only what started before the inspect of this id" })),
  limit: t.Optional(t.String({ pattern: "^([1-9]\\d?|1\\d\\d|200)$", description: "1 to 200, by default 50" })),
});

const searchOf = ({
  min_duration_ms: ms,
  trace_id: traceId,
  user: userId,
  limit,
  ...same
}: typeof Query.static): Search => ({
  ...same,
  minDurationMs: ms === undefined ? undefined : Number(ms),
  traceId,
  userId,
  limit: Number(limit ?? "50"),
});

/** Returns the ways in which an operator is signed in to the API. */
const securitySchemesOf = (app: string) => ({
  operator: { type: "apiKey", in: "cookie", name: operatorCookieOf(app), description: "Of the pages' sign-in" },
  secret: { type: "http", scheme: "bearer", description: "`LIGHTHOUSE_SECRET`" },
});
const byOperator = { security: [{ operator: [] }, { secret: [] }] };

/** Refusals of somebody who guesses the secret, besides the one for a wrong secret. */
const refusals = ["account_locked", "rate_limited"] as const;

const inspectRoutes = ({ operators, inspects, runtime, retry }: ApiOptions) =>
  new Elysia({ name: "lighthouse/api", prefix: "/lighthouse/api", ...grouped("Lighthouse") })
    .onTransform(({ request }) => operators.authorise(request))
    .get(
      "/inspects",
      async ({ query }) => {
        const found = await inspects?.search(searchOf(query));
        return {
          ok: true as const,
          inspects: [...(found?.inspects ?? [])],
          ...(found?.unread && { unread: found.unread }),
        };
      },
      {
        query: Query,
        response: {
          200: t.Object({ ok: t.Literal(true), inspects: t.Array(InspectSummary), unread: t.Optional(Unread) }),
          ...errorResponses("invalid_payload", ...refusals, "unavailable"),
        },
        detail: operation("listInspects", { summary: "What happened, the latest first", ...byOperator }),
      },
    )
    .get(
      "/inspects/:id",
      async ({ params }) => {
        const inspect = await inspects?.find(params.id);
        if (inspect === undefined) throw new AppError("not_found");
        return { ok: true as const, inspect };
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: {
          200: t.Object({ ok: t.Literal(true), inspect: Inspect }),
          ...errorResponses("not_found", ...refusals, "unavailable"),
        },
        detail: operation("getInspect", {
          summary: "One inspect with its events, by its id or by that of its trace",
          ...byOperator,
        }),
      },
    )
    .get("/runtime", async () => ({ ok: true as const, runtime: await runtime() }), {
      response: {
        200: t.Object({ ok: t.Literal(true), runtime: Runtime }),
        ...errorResponses(...refusals),
      },
      detail: operation("getRuntime", {
        summary: "How the app is: readiness, queues, schedules, migrations, routes",
        ...byOperator,
      }),
    })
    .post(
      "/jobs/:id/retry",
      async ({ request, params }) => {
        await retry(request, params.id);
        return { ok: true as const };
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: {
          200: t.Object({ ok: t.Literal(true) }),
          ...errorResponses("not_found", ...refusals, "unavailable"),
        },
        detail: operation("retryJob", { summary: "Runs a failed job again", ...byOperator }),
      },
    );

/**
 * Serves the inspects as JSON to anybody with the cookie of the pages, or with the secret as bearer token. The API has an OpenAPI document
 * of its own.
 */
export function inspectApi(options: ApiOptions) {
  const { app, version } = options;
  const api = inspectRoutes(options);
  const document = documentOnce(() => ({
    title: `Lighthouse: ${app}`,
    description: "What the app did, for its operators.",
    version,
    routes: api.routes,
    securitySchemes: securitySchemesOf(app),
  }));
  return api.get("/openapi.json", () => document(), hidden);
}
