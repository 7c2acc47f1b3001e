import { Elysia } from "elysia";
import type { OrganizationAuth, SessionRow } from "../../auth/index.ts";
import { grouped } from "../../http/index.ts";
import type { Actor } from "../actor.ts";
import type { Acts } from "../acts.ts";

export interface PeopleRouteOptions {
  readonly acts: Acts;
  readonly auth: Pick<OrganizationAuth, "guard" | "clientOf" | "limitAddress">;
}

export const open = () => new Elysia({ prefix: "/api/v1/auth", ...grouped("Organizations") });
export const ok = { ok: true } as const;

export const personOf =
  ({ clientOf }: PeopleRouteOptions["auth"]) =>
  (session: SessionRow, request: Request): Extract<Actor, { kind: "person" }> => ({
    kind: "person",
    session,
    client: clientOf(request),
  });
