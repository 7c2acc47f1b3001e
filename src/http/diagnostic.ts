import { secretsEqual } from "../core/crypto.ts";

const bearer = /^bearer +(\S+)$/i;

/** Whether a request carries the diagnostic token, compared in constant time. An empty token authorises nobody. */
export const createDiagnosticCheck =
  (token: string) =>
  (request: Request): boolean => {
    const given = bearer.exec(request.headers.get("authorization") ?? "")?.[1];
    return given !== undefined && token !== "" && secretsEqual(given, token);
  };
