import { secretsEqual } from "../../core/crypto.ts";
import { bearerToken } from "./bearer.ts";

/** Returns whether a request carries the diagnostic token, compared in constant time. An empty token authorises nobody. */
export const createDiagnosticCheck =
  (token: string) =>
  (request: Request): boolean => {
    const sent = bearerToken(request);
    return sent !== undefined && token !== "" && secretsEqual(sent, token);
  };
