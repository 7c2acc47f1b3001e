import type { Occurrence } from "../../core/audit.ts";
import type { Client } from "../client.ts";
import { wayWord, type WayIn } from "../factor/level.ts";
import { byUser } from "../journal.ts";

interface Accepted {
  readonly userId: string;
  readonly sessionId: string;
  readonly client: Client;
}

/** Makes the audit row of a person who was let in. Its reason is how they came. */
export function acceptedLogin(
  { userId, sessionId, client }: Accepted,
  { cameBy, provider }: { readonly cameBy: WayIn; readonly provider?: string | undefined },
): Occurrence {
  const reason = wayWord(cameBy, provider);
  return {
    topic: "auth.logged-in",
    payload: { user_id: userId, session_id: sessionId },
    by: byUser(client),
    ...(reason !== undefined && { reason }),
  };
}
