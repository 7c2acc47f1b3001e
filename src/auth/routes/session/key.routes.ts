import { Elysia, t } from "elysia";
import { operation, grouped } from "../../../http/index.ts";
import type { PublicJwk } from "../../session/token.keys.ts";

/** The time within which verifiers see an added key (RFC 9111 §5.2.2.1). */
const cacheControl = "public, max-age=300";

const KeySet = t.Object({
  keys: t.Array(
    t.Object({
      kid: t.String(),
      kty: t.String(),
      crv: t.String(),
      x: t.String(),
      y: t.Optional(t.String()),
      alg: t.Union([t.Literal("EdDSA"), t.Literal("ES256")]),
      use: t.Literal("sig"),
    }),
  ),
});

/** Serves the keys by which other programs verify access tokens (RFC 7517 §5), at the path where libraries look for them. */
export const keyRoutes = (keys: readonly PublicJwk[]) =>
  new Elysia(grouped("For your own apps")).get(
    "/.well-known/jwks.json",
    ({ set }) => {
      set.headers["cache-control"] = cacheControl;
      return { keys: [...keys] };
    },
    {
      response: { 200: KeySet },
      detail: operation("getJwks", { summary: "The public keys of access tokens" }),
    },
  );
