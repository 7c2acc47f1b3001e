import { t } from "elysia";

const part = <T extends Parameters<typeof t.Array>[0]>(schema: T) =>
  t.Object({ items: t.Array(schema), error: t.Optional(t.String()) });

/** The state of the app. A part that could not be read has an `error`. */
export const Runtime = t.Object(
  {
    app: t.String(),
    env: t.String(),
    version: t.String(),
    revision: t.String(),
    runtime: t.String(),
    pid: t.Integer(),
    started_at: t.String(),
    mail: t.Object({ driver: t.String() }),
    maintenance: t.Object({
      driver: t.String(),
      on: t.Optional(t.Boolean()),
      reason: t.Optional(t.String()),
      error: t.Optional(t.String()),
    }),
    inspects: t.Object({
      recording: t.Boolean(),
      records: t.Optional(t.Integer()),
      bytes: t.Optional(t.Integer()),
      error: t.Optional(t.String()),
    }),
    checks: part(
      t.Object({
        type: t.String(),
        name: t.String(),
        driver: t.String(),
        status: t.UnionEnum(["ok", "failed"]),
        duration_ms: t.Number(),
        error: t.Optional(t.String()),
      }),
    ),
    migrations: part(t.Object({ id: t.String(), kind: t.String(), state: t.String() })),
    queues: part(
      t.Object({
        name: t.String(),
        driver: t.String(),
        app: t.String(),
        ready: t.Optional(t.Integer()),
        delayed: t.Optional(t.Integer()),
        leased: t.Optional(t.Integer()),
        dead: t.Optional(t.Integer()),
      }),
    ),
    failed_jobs: part(
      t.Object({
        id: t.String(),
        app: t.String(),
        queue: t.String(),
        name: t.String(),
        attempts: t.Integer(),
        failed_at: t.String(),
        error: t.String(),
      }),
    ),
    schedules: part(t.Object({ name: t.String(), cron: t.String(), next_run_at: t.String() })),
    routes: part(t.Object({ method: t.String(), path: t.String() })),
  },
  { title: "Runtime" },
);
export type Runtime = typeof Runtime.static;
