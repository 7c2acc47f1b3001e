import type { Client as Requester, ProviderAuth } from "../../auth/index.ts";
import type { OAuthCode } from "../../core/people/program.flaws.ts";
import type { Declined, RequestFacts } from "../../http/index.ts";
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
  readonly facts: Pick<RequestFacts, "requestId">;
  readonly log: Pick<Log, "debug" | "info">;
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

/** What a device is told every few seconds, until its person has answered. */
const isWaiting: ReadonlySet<OAuthCode> = new Set(["authorization_pending", "slow_down"]);
const longestAsked = 200;

/** Counts the refusals of programs, and tells operators what the programs themselves are not told. */
export function createRefusals({ auth, uses, count, watch, facts, log }: RefusalOptions): OnRefusal {
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

  return (request, { error, client, asked, person }) => {
    const { code, why, message } = error;
    const name = client === undefined ? null : nameOfClient(client);
    const reason = why ?? code;
    const waits = isWaiting.has(code);
    count({ act: waits ? "wait" : "refusal", what: code });
    watch?.({ code, reason, message, program: name ?? undefined });
    const tell = waits ? log.debug : log.info;
    tell("a program was refused", {
      request_id: facts.requestId(request),
      code,
      reason,
      ...(name !== null && { program: name }),
      // What comes after a question mark may be a secret of the program.
      ...(asked !== undefined && { asked: asked.replace(/[?#].*/s, "").slice(0, longestAsked) }),
      said: message,
    });
    if (!isRoutine.has(code)) record(auth.clientOf(request), reason, name, person?.userId ?? null);
  };
}
