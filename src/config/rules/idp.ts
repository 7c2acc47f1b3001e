import { isPrivateHost } from "./hosts.ts";
import { isDeployed, thatHold, type Judged } from "./judged.ts";

/** Finds what keeps other programs from signing people in here. Locally, keys that are missing are made when they are needed. */
export function idpProblems({ config, config: { app, auth, idp } }: Judged): readonly string[] {
  if (app.env === "local" || !idp.enabled || app.name !== "app") return [];
  const { clientMetadataDocuments: documents } = idp;
  return thatHold([
    auth.jwtPrivateKey === undefined &&
      "API_JWT_PRIVATE_KEY is required with IDP_ENABLED: key:generate --idp prints it and IDP_RSA_PRIVATE_KEY",
    idp.rsaPrivateKey === undefined && "IDP_RSA_PRIVATE_KEY is required with IDP_ENABLED: key:generate --idp prints it",
    isDeployed(config) && app.url.protocol !== "https:" && "APP_URL must be https with IDP_ENABLED: it is the issuer",
    isDeployed(config) &&
      typeof documents !== "string" &&
      documents.some((host) => isPrivateHost(new URL(`https://${host}`))) &&
      "IDP_CLIENT_METADATA_DOCUMENTS must not name a private address outside local and testing",
  ]);
}
