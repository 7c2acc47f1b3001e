import { t } from "elysia";
import { domainPattern } from "../../auth/index.ts";
import { timestamp } from "../../core/clock.ts";
import { FieldFault } from "../../core/fields.ts";
import { bodyOf, field, nullable, Timestamp } from "../../http/index.ts";
import { joinModes, type Domain, type JoinMode } from "./domain.repository.ts";
import { recordName } from "./name.ts";

const DomainSchema = t.Object(
  {
    id: t.String(),
    domain: t.String({ description: "In lower case and ASCII, as it stands in addresses" }),
    verified: t.Boolean({ description: "Whether the organization has proven that the domain is its own" }),
    join: t.String({ documented: { enum: [...joinModes] } }),
    record: t.Object(
      { type: t.String({ documented: { enum: ["TXT"] } }), name: t.String(), value: t.String() },
      { description: "What has to stand among the records of the domain, and to stay there" },
    ),
    lost_at: nullable(Timestamp),
    created_at: Timestamp,
  },
  { title: "OrganizationDomain" },
);

export const presentDomain = (found: Domain): typeof DomainSchema.static => ({
  id: found.id,
  domain: found.domain,
  verified: found.verifiedAt !== null,
  join: found.joinMode,
  record: { type: "TXT", name: recordName(found.domain), value: found.token },
  lost_at: timestamp(found.lostAt),
  created_at: timestamp(found.createdAt),
});

const ok = t.Literal(true);
export const OkDomain = t.Object({ ok, domain: DomainSchema });
export const DomainList = t.Object({ ok, domains: t.Array(DomainSchema) });

const uuid = { documented: { format: "uuid" } };
export const DomainId = t.Object({ id: t.String(uuid), domain: t.String(uuid) });

const isJoinMode = (text: string): text is JoinMode => joinModes.some((mode) => mode === text);

export const DomainBody = bodyOf(
  {
    domain: field.text({
      most: 512,
      schema: {
        format: "idn-hostname",
        pattern: domainPattern,
        description: "Such as example.com: one that belongs to somebody alone",
      },
    }),
  },
  { example: { domain: "example.com" } },
);
export const JoinBody = bodyOf(
  {
    join: field.text({
      most: 16,
      rule: (text) => (isJoinMode(text) ? text : new FieldFault("invalid_value", "must be none, invite or auto")),
      schema: {
        enum: [...joinModes],
        description:
          "Who joins by a proven address below the domain: nobody, those who are offered it and accept, or everybody who signs in",
      },
    }),
  },
  { example: { join: "auto" } },
);
export const readJoin = (text: string): JoinMode => (isJoinMode(text) ? text : "none");
