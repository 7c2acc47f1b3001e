import { Type, type Static } from "@sinclair/typebox";
import type { Delegations } from "../../auth/index.ts";

type Parent = Parameters<Delegations["open"]>[0]["parent"];

/** What is kept of the session of a browser by which a person let a client in, besides its id and whose it is. */
export const ParentFacts = Type.Object({
  provedAt: Type.Number(),
  remembered: Type.Number(),
  expiresAt: Type.Number(),
  cameBy: Type.Unsafe<Parent["cameBy"]>(Type.Union([Type.String(), Type.Null()])),
  factor: Type.Unsafe<Parent["factor"]>(Type.Union([Type.String(), Type.Null()])),
});

export const parentFacts = ({
  provedAt,
  remembered,
  expiresAt,
  cameBy,
  factor,
}: Parent): Static<typeof ParentFacts> => ({ provedAt, remembered, expiresAt, cameBy, factor });
