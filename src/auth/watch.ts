import type { AppError } from "../core/errors.ts";
import type { SessionDebug } from "../core/flaws.ts";

/** Tells inspects about accounts; absent where they are off. */
export interface AuthWatch {
  /** Tells how the check of a session, a login or a registration went. */
  session(event: SessionDebug): void;
  /** Says that the running work is about this account. */
  concerns(userId: string): void;
  refused(refusal: AppError): void;
}
