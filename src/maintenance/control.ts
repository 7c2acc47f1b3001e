import { Elysia, NotFoundError, t } from "elysia";
import { AppError } from "../core/errors.ts";
import { errorResponses } from "../http/index.ts";
import type { MaintenanceState } from "./state.ts";

interface ControlOptions {
  readonly state: MaintenanceState;
  readonly driver: string;
  readonly isLocal: (request: Request) => boolean;
  readonly isAuthorised: (request: Request) => boolean;
  /** Told of each change that was made here, once it is stored. */
  readonly onChange: (on: boolean) => Promise<void>;
}

const root = "/-/maintenance";

/** Its paths look like none wherever they don't answer, whatever the method. */
export const isControlPath = (path: string): boolean => path === root || path.startsWith(`${root}/`);

const Changed = t.Object({ ok: t.Literal(true), maintenance: t.Boolean() });
const Status = t.Object({
  ok: t.Literal(true),
  maintenance: t.Boolean(),
  driver: t.String(),
  reason: t.Optional(t.UnionEnum(["environment", "command", "unreadable"])),
});
const hidden = { detail: { hide: true } } as const;

/** For programs on this host that know the diagnostic token (SEED §5.8); for everyone else there is nothing here. */
export const controlRoutes = ({ state, driver, isLocal, isAuthorised, onChange }: ControlOptions) =>
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
      { ...hidden, response: { 200: Status, ...errorResponses(401) } },
    )
    .post(
      `${root}/enable`,
      async () => {
        if (await state.enable()) await onChange(true);
        return { ok: true as const, maintenance: true };
      },
      { ...hidden, response: { 200: Changed, ...errorResponses(401, 503) } },
    )
    .post(
      `${root}/disable`,
      async () => {
        if (state.forced) throw new AppError("maintenance_forced");
        if (await state.disable()) await onChange(false);
        return { ok: true as const, maintenance: false };
      },
      { ...hidden, response: { 200: Changed, ...errorResponses(401, 409, 503) } },
    );
