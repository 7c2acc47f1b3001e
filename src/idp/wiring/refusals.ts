import type { Client as Requester, ProviderAuth } from "../../auth/index.ts";
import type { OAuthCode } from "../../core/people/program.flaws.ts";
import type { Declined } from "../../http/index.ts";
import type { Log } from "../../observe/index.ts";
import { nameOfClient } from "../client/client.name.ts";
import type { OnRefusal } from "../protocol/refusal.ts";
import type { ProviderEvent, RefusalLog } from "./parts.ts";

interface RefusalOptions {
  readonly auth: Pick<ProviderAuth, "clientOf">;
  readonly uses: RefusalLog;
  readonly count: (event: ProviderEvent) => void;
  /** Shows in inspects why a program was refused. */
  readonly watch: ((refusal: Declined) => void) | undefined;
  readonly log: Log;
}

/** What programs are told in the course of things: a device waits, a person has to see a page, or there is too much to do for now. */
const isRoutine: ReadonlySet<OAuthCode> = new Set([
  "authorization_pending",
  "slow_down",
  "login_required",
  "interaction_required",
  "consent_required",
  "temporarily_unavailable",
]);

/** Counts the refusals of programs, and tells operators what the programs themselves are not told. */
export function createRefusals({ auth, uses, count, watch, log }: RefusalOptions): OnRefusal {
  function record(requester: Requester, reason: string, name: string | null, userId: string | null) {
    uses.add(`${reason} ${name ?? ""} ${userId ?? ""} ${requester.bucket}`, {
      occurrence: {
        topic: "client.refused",
        payload: { user_id: userId, service: name, count: 1 },
        by: { actor: "anonymous", origin: requester },
        outcome: "failure",
        reason,
      },
    });
  }

  return (request, { error, client, person }) => {
    const { code, why, message } = error;
    const name = client === undefined ? null : nameOfClient(client);
    const refusal = { code, reason: why ?? code, message, program: name ?? undefined };
    count({ act: "refusal", what: code });
    watch?.(refusal);
    log.info("a program was refused", refusal);
    if (!isRoutine.has(code)) record(auth.clientOf(request), refusal.reason, name, person?.userId ?? null);
  };
}
