import { AppError } from "../../../core/errors.ts";
import { isImpersonated } from "../../session/session.columns.ts";
import type { SessionRow } from "../../session/session.repository.ts";

/** What staff may do by a session in somebody's name, besides reading and ending it: choose the organization that it acts for. */
const mayDo: ReadonlySet<string> = new Set(["POST /api/v1/auth/organizations/switch"]);
/** What they may not even read: it hands out all that is kept of the person, or begins something by a link. */
const mayNotRead: ReadonlySet<string> = new Set([
  "GET /api/v1/auth/account/export",
  "GET /api/v1/auth/oauth/:provider/link/start",
]);

interface Asked {
  readonly method: string;
  /** The pattern of the route. Where it is not known, nothing is allowed. */
  readonly route: string | undefined;
}

/**
 * Throws `impersonated` where staff in somebody's name ask for what is the person's alone: whatever changes something, whichever route it is,
 * but for the few above. A route that is new is refused by this rule without a word of its own.
 */
export function requireOwnSession(session: Pick<SessionRow, "impersonatorId">, { method, route }: Asked): void {
  if (!isImpersonated(session)) return;
  const asked = `${method === "HEAD" ? "GET" : method} ${route ?? ""}`;
  const isOpen = asked.startsWith("GET ") ? !mayNotRead.has(asked) : mayDo.has(asked);
  if (route === undefined || !isOpen) throw new AppError("impersonated");
}
