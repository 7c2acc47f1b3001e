import type { AppError } from "../core/errors.ts";
import type { SessionDebug } from "../core/flaws.ts";

/** What inspects are told of accounts. Nobody is told where they are off. */
export interface AuthWatch {
  /** How the check of a session, a login or a registration went. */
  session(event: SessionDebug): void;
  /** What is running is about this account. */
  concerns(userId: string): void;
  refused(refusal: AppError): void;
}
