import type { Occurrence } from "../../core/audit.ts";
import type { Client } from "../client.ts";
import { byNobody } from "../journal.ts";

/** Makes the audit row of a person who was refused although the proof was right. */
export const refusedLogin = (userId: string, reason: string, client: Client): Occurrence => ({
  topic: "auth.login-failed",
  payload: { user_id: userId, reason, count: 1 },
  by: byNobody(client),
  outcome: "failure",
});
