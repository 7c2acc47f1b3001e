import type { Static, TSchema } from "@sinclair/typebox";
import { t } from "elysia";
import { timestamp } from "../../../core/clock.ts";
import { FieldFault, missingField } from "../../../core/fields.ts";
import { bodyOf, field, nullable, Timestamp, type Field } from "../../../http/index.ts";
import {
  AuthenticationCredential,
  readCredential,
  RegistrationCredential,
} from "../../factor/passkey/passkey.credential.ts";
import type { PasskeyRow } from "../../factor/passkey/passkey.repository.ts";
import { deliveryFields } from "../session/delivery.ts";
import { Id } from "../user.view.ts";

const credential = <T extends TSchema>(schema: T, description: string): Field<Static<T>> => ({
  schema: { ...schema, description },
  read: (value) =>
    value === undefined
      ? missingField
      : (readCredential(schema, value) ??
        new FieldFault("invalid_type", "must be the JSON form of a public key credential")),
});

const name = field.text({ most: 64, schema: { description: "What its user calls it" } });

export const RegisterPasskeyBody = bodyOf({
  credential: credential(RegistrationCredential, "`toJSON()` of what `navigator.credentials.create` has answered"),
  name: field.blankable(name),
});
export const RenamePasskeyBody = bodyOf({ name }, { example: { name: "Phone" } });
export const PasskeyLoginOptionsBody = bodyOf({ delivery: deliveryFields.delivery });
export const PasskeyLoginBody = bodyOf({
  credential: credential(AuthenticationCredential, "`toJSON()` of what `navigator.credentials.get` has answered"),
  remember: field.optional(field.flag({ description: "Whether the session outlives the browser" })),
  ...deliveryFields,
});

export const Passkey = t.Object(
  {
    id: Id,
    name: t.String(),
    created_at: Timestamp,
    last_used_at: nullable(Timestamp),
    synced: t.Boolean({ description: "Whether it is kept on other devices too, by its provider" }),
    transports: t.Array(t.String(), { description: "How the authenticator is reached, such as `internal` or `usb`" }),
    rp_id: t.String({ description: "The domain that it works for" }),
  },
  { title: "Passkey", description: "A passkey of an account; the key itself is with its user" },
);
export const OkPasskey = t.Object({ ok: t.Literal(true), passkey: Passkey });

export const presentPasskey = (passkey: PasskeyRow): typeof Passkey.static => ({
  id: passkey.id,
  name: passkey.name,
  created_at: timestamp(passkey.createdAt),
  last_used_at: timestamp(passkey.lastUsedAt),
  synced: passkey.backedUp === 1,
  transports: passkey.transports.split(" ").filter((transport) => transport !== ""),
  rp_id: passkey.rpId,
});

const Hints = t.Array(t.Union([t.Literal("security-key"), t.Literal("client-device"), t.Literal("hybrid")]), {
  description: "Where the browser looks first, for those that know hints",
});

const Descriptor = t.Object({
  type: t.Literal("public-key"),
  id: t.String(),
  transports: t.Optional(t.Array(t.String())),
});

const creationFields = {
  rp: t.Object({ id: t.String(), name: t.String() }),
  user: t.Object({ id: t.String(), name: t.String(), displayName: t.String() }),
  challenge: t.String(),
  pubKeyCredParams: t.Array(t.Object({ type: t.Literal("public-key"), alg: t.Number() })),
  timeout: t.Number(),
  excludeCredentials: t.Array(Descriptor),
  hints: Hints,
  extensions: t.Object({ credProps: t.Literal(true) }),
};
const foundByItself = { residentKey: t.Literal("required"), requireResidentKey: t.Literal(true) };

export const RegistrationOptions = t.Object({
  ok: t.Literal(true),
  options: t.Object(
    {
      ...creationFields,
      authenticatorSelection: t.Object({ ...foundByItself, userVerification: t.Literal("required") }),
      attestation: t.Union([t.Literal("none"), t.Literal("direct")]),
    },
    {
      title: "PasskeyCreationOptions",
      description: "For `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`",
    },
  ),
});

export const OfferOptions = t.Object({
  ok: t.Literal(true),
  options: nullable(
    t.Object(
      {
        ...creationFields,
        authenticatorSelection: t.Object({ ...foundByItself, userVerification: t.Literal("preferred") }),
        attestation: t.Literal("none"),
      },
      {
        title: "PasskeyOffer",
        description:
          'For `navigator.credentials.create` with `mediation: "conditional"`; null where no passkey is to be made unasked',
      },
    ),
  ),
});

export const PasskeySignal = t.Object({
  ok: t.Literal(true),
  signal: nullable(
    t.Object(
      {
        rpId: t.String(),
        userId: t.String(),
        allAcceptedCredentialIds: t.Array(t.String()),
        name: t.String(),
        displayName: t.String(),
      },
      {
        title: "PasskeySignal",
        description:
          "For `PublicKeyCredential.signalAllAcceptedCredentials` and `signalCurrentUserDetails`; null for an account that never had a passkey here",
      },
    ),
  ),
});

export const RequestOptions = t.Object(
  {
    rpId: t.String(),
    challenge: t.String(),
    timeout: t.Number(),
    allowCredentials: t.Array(Descriptor),
    hints: Hints,
    userVerification: t.Literal("required"),
  },
  {
    title: "PasskeyRequestOptions",
    description: "For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`",
  },
);
export const LoginOptions = t.Object({ ok: t.Literal(true), options: RequestOptions });
