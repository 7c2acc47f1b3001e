import { Elysia, t } from "elysia";
import { operation, grouped } from "../../../http/index.ts";

/** The time within which verifiers see an added key (RFC 9111 §5.2.2.1). */
const cacheControl = "public, max-age=300";

const KeySet = t.Object({
  keys: t.Array(
    t.Object({
      kid: t.String(),
      kty: t.String(),
      crv: t.Optional(t.String()),
      x: t.Optional(t.String()),
      y: t.Optional(t.String()),
      n: t.Optional(t.String()),
      e: t.Optional(t.String()),
      alg: t.Union([t.Literal("EdDSA"), t.Literal("ES256"), t.Literal("RS256")]),
      use: t.Literal("sig"),
    }),
  ),
});

/** Returns the public keys, the one that signs access tokens first. */
export type PublishedKeys = () => Promise<(typeof KeySet.static)["keys"]>;

/** Serves the keys by which other programs verify tokens (RFC 7517 §5), at the path where libraries look for them. */
export const keyRoutes = (published: PublishedKeys) =>
  new Elysia(grouped("For your own apps")).get(
    "/.well-known/jwks.json",
    async ({ set }) => {
      const keys = await published();
      set.headers["cache-control"] = cacheControl;
      return { keys };
    },
    {
      response: { 200: KeySet },
      detail: operation("getJwks", { summary: "The public keys of access tokens and ID tokens" }),
    },
  );
