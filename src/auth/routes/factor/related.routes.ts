import { Elysia, t } from "elysia";
import { grouped, operation } from "../../../http/index.ts";
import type { RelyingParty } from "../../factor/passkey/relying.party.ts";

/** The time within which browsers see another list. */
const cacheControl = "public, max-age=300";

const RelatedOrigins = t.Object({ origins: t.Array(t.String()) });

/** Names the pages of other domains that may use the passkeys, where browsers look for them (WebAuthn level 3, §5.11.1). */
export const relatedOriginRoutes = ({ related }: Pick<RelyingParty, "related">) =>
  new Elysia(grouped("Passkeys")).get(
    "/.well-known/webauthn",
    ({ set }) => {
      set.headers["cache-control"] = cacheControl;
      return { origins: [...related] };
    },
    {
      response: { 200: RelatedOrigins },
      detail: operation("getRelatedOrigins", {
        summary: "Origins of other domains whose pages may use the passkeys",
        description: "Where `AUTH_WEBAUTHN_ORIGINS` has any. Browsers ask for it at the host of `AUTH_WEBAUTHN_RP_ID`.",
      }),
    },
  );
