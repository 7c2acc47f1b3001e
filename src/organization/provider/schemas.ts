import { t } from "elysia";
import { timestamp } from "../../core/clock.ts";
import { bodyOf, field, nullable, Timestamp } from "../../http/index.ts";
import type { ProviderRow } from "./provider.repository.ts";

const ProviderSchema = t.Object(
  {
    issuer: t.String(),
    client_id: t.String(),
    enforced: t.Boolean({
      description: "Whether members with an address below a proven domain sign in in no other way",
    }),
    start: t.String({ description: "Where a browser begins to sign in" }),
    callback: t.String({ description: "The redirect URI to register at the provider" }),
    updated_at: Timestamp,
  },
  { title: "OrganizationProvider", description: "The client secret is never shown" },
);

export interface ProviderAddresses {
  readonly start: string;
  readonly callback: string;
}

export const presentProvider = (
  { issuer, clientId, enforced, updatedAt }: ProviderRow,
  { start, callback }: ProviderAddresses,
): typeof ProviderSchema.static => ({
  issuer,
  client_id: clientId,
  enforced: enforced === 1,
  start,
  callback,
  updated_at: timestamp(updatedAt),
});

const ok = t.Literal(true);
export const OkProvider = t.Object({ ok, provider: ProviderSchema });
export const AnyProvider = t.Object({ ok, provider: nullable(ProviderSchema) });
export const ProviderBody = bodyOf(
  {
    issuer: field.text({
      most: 512,
      schema: { format: "uri", description: "To the letter, as its discovery document says it" },
    }),
    client_id: field.text({ most: 512 }),
    client_secret: field.password({ most: 4_096, schema: { description: "Kept sealed, and never shown again" } }),
    enforced: field.optional(
      field.flag({ description: "Whether members with an address below a proven domain sign in in no other way" }),
    ),
  },
  {
    example: {
      issuer: "https://login.example.com",
      client_id: "gatehouse",
      client_secret: "3q0vYx2sQWc0n2rXz7m1bA",
      enforced: false,
    },
  },
);

/** What a sign-in page may know of the domain of an address. It says nothing of accounts. */
export const LoginProvider = t.Object({
  ok,
  provider: nullable(
    t.Object({
      name: t.String({ description: "What people call the organization" }),
      start: t.String({ description: "Where the browser begins to sign in" }),
      enforced: t.Boolean({ description: "Whether members of the organization sign in in no other way" }),
    }),
  ),
});
export const LoginBody = bodyOf(
  { login: field.text({ most: 320, schema: { description: "As it was typed" } }) },
  { example: { login: "ada@example.com" } },
);
