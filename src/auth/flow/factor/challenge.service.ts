import { AppError } from "../../../core/errors.ts";
import type { Client } from "../../client.ts";
import { invalidChallenge, type ShownChallenge } from "../../factor/challenges.ts";
import type { ChallengeRow } from "../../factor/challenge.repository.ts";
import type { FactorAnswer, FactorRefusal } from "../../factor/method.ts";
import type { Attempt } from "../../pressure/pressure.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { AdmissionService, SignedIn } from "../admission.ts";
import { tryAnew } from "../../../core/pace/anew.ts";
import type { AcceptanceService } from "../invitation/invitation.acceptance.ts";
import type { Parts } from "../parts.ts";

type ChallengeServiceOptions = Parts<"users" | "challenges" | "pressure"> & {
  readonly admission: AdmissionService;
  readonly acceptance: Pick<AcceptanceService, "joiningByHash">;
};

export function createChallengeService(options: ChallengeServiceOptions) {
  const { admission, users, challenges, acceptance, pressure } = options;

  /**
   * Returns the challenge with its account, as long as nothing has made it void: a new password or address, a disabled account, no factor
   * left.
   */
  async function open(shown: ShownChallenge | undefined): Promise<{ row: ChallengeRow; user: UserRow }> {
    const row = await challenges.find(shown);
    const user = await users.byId(row.userId);
    const isSame = user?.deviceEpoch === row.deviceEpoch && user.emailKey === row.emailKey;
    if (user === undefined || !isSame || user.active !== 1 || user.factors === 0)
      throw invalidChallenge("challenge_overtaken", row.userId);
    return { row, user };
  }

  /** Tries an answer. Returns undefined when it has to be checked anew, otherwise the session, or why the answer is wrong. */
  async function tryToOpen(
    shown: ShownChallenge | undefined,
    answer: FactorAnswer,
    client: Client,
    settled: Attempt["succeeded"],
  ): Promise<SignedIn | (FactorRefusal & { readonly user: UserRow }) | undefined> {
    const { row, user } = await open(shown);
    const { webauthnChallenge } = row;
    const checked = await challenges.factors.check(user, answer, { webauthnChallenge, client });
    if ("refused" in checked) return { ...checked, user };
    const { invitationHash } = row;
    const joining = invitationHash === null ? undefined : await acceptance.joiningByHash(invitationHash, user, client);
    const decision = await admission.admit({
      user,
      proof: {
        by: "valid_factor",
        cameBy: row.cameBy,
        provider: row.provider ?? undefined,
        identityId: row.identityId,
        factor: answer.method,
        holdUser: (signedInAt) => users.signedIn(user, signedInAt),
        guards: [challenges.answer(row), ...checked.guards],
        settled,
        statements: joining?.statements,
        jobs: checked.jobs,
        tell: [...(checked.tell ?? []), ...(joining?.tell ?? [])],
      },
      client,
      remember: row.remembered === 1,
    });
    if (decision.outcome === "overtaken" || decision.outcome === "challenged") return undefined;
    if (decision.outcome === "refused") throw invalidChallenge("challenge_overtaken", user.id);
    const { signedIn } = decision;
    return joining === undefined ? signedIn : { ...signedIn, user: (await users.byId(user.id)) ?? signedIn.user };
  }

  return {
    /** Describes the challenge to a page. Throws `invalid_challenge`. */
    async describe(shown: ShownChallenge | undefined) {
      const { row, user } = await open(shown);
      return {
        methods: await challenges.factors.of(user),
        expiresAt: row.expiresAt,
        passkeyOptions: await challenges.factors.passkeyOptions(user, row.webauthnChallenge),
      };
    },

    /**
     * Opens the session. A wrong answer counts against the challenge, which takes ten. A wrong answer of an authenticator app also counts
     * against the account, which takes a hundred a day: other second factors go on working. Throws `invalid_code`, `invalid_challenge` or
     * `rate_limited`.
     */
    async verify(shown: ShownChallenge | undefined, answer: FactorAnswer, client: Client): Promise<SignedIn> {
      const { row } = await open(shown);
      const { method } = answer;
      const check = {
        by: "factor",
        method,
        userId: row.userId,
        challengeId: row.id,
        forgives: row.forgives === "" ? [] : row.forgives.split(" "),
      } as const;
      try {
        return await pressure.attempt(check, client, async (attempt) => {
          const result = await tryAnew(() => tryToOpen(shown, answer, client, attempt.succeeded));
          if ("issued" in result) return result;
          throw await attempt.failed("invalid_code", {
            user: result.user,
            why: result.refused,
            passkey: result.passkey,
            notes: result.notes,
          });
        });
      } catch (error) {
        const isUsedUp = error instanceof AppError && error.reason === "account_locked";
        throw isUsedUp ? invalidChallenge("challenge_used_up", row.userId) : error;
      }
    },
  };
}

export type ChallengeService = ReturnType<typeof createChallengeService>;
