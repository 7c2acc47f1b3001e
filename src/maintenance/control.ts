import { Elysia, NotFoundError, t } from "elysia";
import { byOperator, type By } from "../core/audit.ts";
import { AppError } from "../core/errors.ts";
import { isOperatorName, operatorHeader } from "../core/people/operators.ts";
import { hidden, errorResponses } from "../http/index.ts";
import type { MaintenanceState } from "./state.ts";

interface ControlOptions {
  readonly state: MaintenanceState;
  readonly driver: string;
  /** Returns what is stored when a program switches maintenance on. */
  readonly note: () => string;
  readonly isLocal: (request: Request) => boolean;
  readonly isAuthorised: (request: Request) => boolean;
  /** Called after each change made here, once it is stored. */
  readonly onChange: (on: boolean, by: By) => Promise<void>;
}

const root = "/-/maintenance";

/** Returns who switches: the person whom the command names, which knows the diagnostic token. */
function callerOf({ headers }: Request): By {
  const name = headers.get(operatorHeader) ?? "";
  return isOperatorName(name) ? { actor: "operator", name } : byOperator;
}

/**
 * Returns whether a path belongs to the control. Where no route of the control answers, the path must look like one that does not exist.
 */
export const isControlPath = (path: string): boolean => path === root || path.startsWith(`${root}/`);

const Changed = t.Object({ ok: t.Literal(true), maintenance: t.Boolean() });
const Status = t.Object({
  ok: t.Literal(true),
  maintenance: t.Boolean(),
  driver: t.String(),
  reason: t.Optional(t.UnionEnum(["environment", "command", "unreadable"])),
});

/** Answers programs on this host that know the diagnostic token. For requests from elsewhere there is nothing at these paths. */
export const controlRoutes = ({ state, driver, note, isLocal, isAuthorised, onChange }: ControlOptions) =>
  new Elysia({ name: "maintenance" })
    .onBeforeHandle(({ request }) => {
      if (!isLocal(request)) throw new NotFoundError();
      if (!isAuthorised(request)) throw new AppError("unauthorized");
    })
    .get(
      root,
      async () => {
        const { on, reason } = await state.find();
        return { ok: true as const, maintenance: on, driver, ...(reason !== undefined && { reason }) };
      },
      { ...hidden, response: { 200: Status, ...errorResponses("unauthorized") } },
    )
    .post(
      `${root}/enable`,
      async ({ request }) => {
        if (await state.enable(note())) await onChange(true, callerOf(request));
        return { ok: true as const, maintenance: true };
      },
      { ...hidden, response: { 200: Changed, ...errorResponses("unauthorized", "unavailable") } },
    )
    .post(
      `${root}/disable`,
      async ({ request }) => {
        if (state.forced) throw new AppError("maintenance_forced");
        if (await state.disable()) await onChange(false, callerOf(request));
        return { ok: true as const, maintenance: false };
      },
      { ...hidden, response: { 200: Changed, ...errorResponses("unauthorized", "maintenance_forced", "unavailable") } },
    );
