import { Elysia, t } from "elysia";
import { createDiagnosticCheck, operation, grouped } from "../http/index.ts";
import { isReady, type CheckResult } from "./readiness.ts";

export { createReadiness, isReady, type CheckResult } from "./readiness.ts";

interface ProbeOptions {
  readonly app: string;
  readonly diagToken: string;
  readonly runChecks: () => Promise<readonly CheckResult[]>;
  /** True once the process is asked to stop: a load balancer must send new requests elsewhere while those in flight finish. */
  readonly isDraining: () => boolean;
}

const Check = t.Object({
  type: t.String(),
  name: t.String(),
  driver: t.String(),
  optional: t.Optional(t.Boolean({ description: "True where the app is ready without it" })),
  status: t.UnionEnum(["ok", "failed"]),
  duration_ms: t.Number(),
  error: t.Optional(t.String()),
});
const Readiness = t.Object({
  status: t.UnionEnum(["ready", "not_ready"]),
  app: t.String(),
  checks: t.Optional(t.Array(Check)),
});

/** Liveness asks nothing but the process itself, so that a failing dependency restarts nothing. Readiness runs every check. */
export function createProbes({ app, diagToken, runChecks, isDraining }: ProbeOptions) {
  const isAuthorised = createDiagnosticCheck(diagToken);

  return new Elysia({ name: "probes", ...grouped("Probes") })
    .get("/-/health", () => ({ status: "ok" as const }), {
      response: { 200: t.Object({ status: t.Literal("ok") }) },
      detail: operation("getHealth", { summary: "Liveness: the process answers" }),
    })
    .get(
      "/-/ready",
      async ({ request, status }) => {
        const authorised = isAuthorised(request);
        const results = authorised || !isDraining() ? await runChecks() : [];
        const ready = !isDraining() && isReady(results);
        const body = { status: ready ? ("ready" as const) : ("not_ready" as const), app };
        return status(ready ? 200 : 503, authorised ? { ...body, checks: [...results] } : body);
      },
      {
        response: { 200: Readiness, 503: Readiness },
        detail: operation("getReadiness", {
          summary: "Readiness: every dependency answers",
          description: "With the diagnostic token as bearer, `checks` has every check.",
          answers: { 200: "Ready", 503: "Not ready: to be sent no requests" },
          security: [{}, { diagnostic: [] }],
        }),
      },
    );
}
