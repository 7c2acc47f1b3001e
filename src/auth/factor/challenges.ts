import { minute, type Clock, type Millis } from "../../core/clock.ts";
import { randomToken, secretsEqual, tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import type { FactorFlaw } from "../../core/flaws.ts";
import { isId, newId } from "../../core/ids.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { ChallengeRepository, ChallengeRow } from "./challenge.repository.ts";
import type { Factors } from "./factors.ts";
import type { WayIn } from "./level.ts";
import type { FactorName } from "./method.ts";

/** A challenge in the form for its browser. The id alone, without the secret, is of no use. */
export interface IssuedChallenge {
  readonly id: string;
  readonly secret: string;
  readonly methods: readonly FactorName[];
  readonly expiresAt: Millis;
}

export interface ShownChallenge {
  readonly id: string;
  readonly secret: string;
}

export interface FirstProof {
  readonly cameBy: WayIn;
  readonly provider?: string | undefined;
  readonly remember: boolean;
  readonly identityId?: string | undefined;
  readonly invitationHash?: string | undefined;
  /** The keys of the counters that a success clears. */
  readonly forgives?: readonly string[] | undefined;
}

const challengeTtlMs = 5 * minute;
/** How many sign-ins can be open before the oldest is void: anybody who knows the password can begin them. */
const mostOpen = 10;

export const invalidChallenge = (flaw: FactorFlaw, userId?: string): AppError =>
  new AppError("invalid_challenge", { flaw, userId });

/** The challenges that stand between a right first proof and a session. Each is bound to one browser, account and app. */
export function createChallenges({
  rows,
  factors,
  clock,
}: {
  readonly rows: ChallengeRepository;
  readonly factors: Factors;
  readonly clock: Clock;
}) {
  function newRow(user: UserRow, first: FirstProof, sessionId: string | null) {
    const now = clock.now();
    const secret = randomToken();
    const row: ChallengeRow = {
      id: newId(),
      userId: user.id,
      sessionId,
      identityId: first.identityId ?? null,
      secretHash: tokenHash(secret),
      webauthnChallenge: randomToken(),
      cameBy: first.cameBy,
      provider: first.provider ?? null,
      invitationHash: first.invitationHash ?? null,
      remembered: first.remember ? 1 : 0,
      deviceEpoch: user.deviceEpoch,
      emailKey: user.emailKey,
      forgives: (first.forgives ?? []).join(" "),
      createdAt: now,
      expiresAt: now + challengeTtlMs,
    };
    return { row, secret };
  }

  return {
    factors,

    /** Makes a challenge, in the batch that holds the user's row. */
    async issue(
      user: UserRow,
      first: FirstProof,
    ): Promise<{ readonly issued: IssuedChallenge; readonly statements: readonly Statement[] }> {
      const { row, secret } = newRow(user, first, null);
      return {
        issued: { id: row.id, secret, methods: await factors.of(user), expiresAt: row.expiresAt },
        statements: [rows.trim(user.id, mostOpen - 1), rows.insert(row)],
      };
    },

    /** Asks a session's user for a passkey: returns the statements that make the challenge, and the challenge. */
    issueTo(session: { readonly id: string }, user: UserRow) {
      const { row } = newRow(user, { cameBy: "passkey", remember: false }, session.id);
      return {
        webauthnChallenge: row.webauthnChallenge,
        statements: [rows.endOfSession(session.id), rows.insert(row)] as const,
      };
    },

    /** Returns the challenge that the browser shows. Throws `invalid_challenge`, to the client always in the same way. */
    async find(shown: ShownChallenge | undefined): Promise<ChallengeRow> {
      const row = shown !== undefined && isId(shown.id) ? await rows.find(shown.id) : undefined;
      if (shown === undefined || row === undefined || row.sessionId !== null)
        throw invalidChallenge("challenge_unknown");
      if (!secretsEqual(tokenHash(shown.secret), row.secretHash))
        throw invalidChallenge("challenge_of_other_browser", row.userId);
      if (row.expiresAt <= clock.now() || row.expiresAt > clock.now() + 2 * challengeTtlMs)
        throw invalidChallenge("challenge_expired", row.userId);
      return row;
    },

    /** Returns the challenge that asks a session's user for a new proof; undefined where there is none. */
    async ofSession(session: { readonly id: string }): Promise<ChallengeRow | undefined> {
      const row = await rows.ofSession(session.id);
      return row === undefined || row.expiresAt <= clock.now() ? undefined : row;
    },

    unanswered: rows.unanswered,

    answer: ({ id }: ChallengeRow): Statement => rows.answer(id, clock.now()),

    voidAll: (userId: string): Statement => rows.voidAll(userId),
  };
}

export type Challenges = ReturnType<typeof createChallenges>;
