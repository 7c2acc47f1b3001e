import type { OAuthCode } from "../../core/program.flaws.ts";
import type { Declined, RequestFacts } from "../../http/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Why } from "../protocol/errors.ts";

/** The refusal of a program, or of the person whom it sent. */
export interface Refusal extends Declined {
  readonly reason: Why | OAuthCode;
  /** What the request named and is not registered: an address, or the id of a program. */
  readonly asked?: string | undefined;
}

interface DeclineOptions {
  readonly count: (event: { readonly act: "refusal"; readonly what: string }) => void;
  /** Shows the refusal in inspects. */
  readonly watch?: ((refusal: Declined) => void) | undefined;
  readonly facts: Pick<RequestFacts, "requestId">;
  readonly log: Pick<Log, "debug" | "info">;
}

const longestAsked = 200;
/** What a device is told every few seconds, until its person has answered. */
const ordinary: ReadonlySet<string> = new Set(["authorization_pending", "slow_down"]);

/** Counts the refusal of a program, and tells operators what the program itself is not told. */
export function createDecline({ count, watch, facts, log }: DeclineOptions) {
  return function decline({ asked, ...refusal }: Refusal, request: Request): void {
    const { code, reason, message, program } = refusal;
    count({ act: "refusal", what: code });
    watch?.(refusal);
    const told = ordinary.has(code) ? log.debug : log.info;
    told("a program was refused", {
      request_id: facts.requestId(request),
      code,
      reason,
      ...(program !== undefined && { program }),
      // What comes after a question mark may be a secret of the program.
      ...(asked !== undefined && { asked: asked.replace(/[?#].*/s, "").slice(0, longestAsked) }),
      said: message,
    });
  };
}

export type Decline = ReturnType<typeof createDecline>;
