import { Elysia } from "elysia";
import type { ServiceCaller, ServiceGuard } from "../../backend/index.ts";
import { grouped } from "../../http/index.ts";
import type { Actor } from "../actor.ts";
import type { Acts } from "../acts.ts";

export interface ServiceRouteOptions {
  readonly acts: Acts;
  readonly guard: ServiceGuard;
}

export const path = "/api/v1/organizations";
export const open = () => new Elysia(grouped("Organizations"));
export const ok = { ok: true } as const;
export const officeOf = ({ by }: ServiceCaller): Actor => ({ kind: "office", by });
export const [reads, writes] = ["organizations:read", "organizations:write"] as const;
