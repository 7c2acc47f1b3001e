import { tokenHash } from "../../../core/crypto.ts";
import { AppError } from "../../../core/errors.ts";
import type { FactorFlaw } from "../../../core/flaws.ts";
import type { Client } from "../../client.ts";
import type { FactorRefusal } from "../../factor/method.ts";
import { readClientData, type AuthenticationCredential } from "../../factor/passkey/passkey.credential.ts";
import { requestOptions } from "../../factor/passkey/passkey.options.ts";
import type { Assertion, PasskeyRow } from "../../factor/passkey/passkey.repository.ts";
import { byNobody } from "../../journal.ts";
import type { Attempt } from "../../pressure/pressure.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { AdmissionService, SignedIn } from "../admission.ts";
import type { Parts } from "../parts.ts";

interface PasskeyAnswer {
  readonly credential: AuthenticationCredential;
  readonly challenge: string;
  readonly remember: boolean;
}

const maxChecks = 3;

/**
 * Signing in without a name: the passkey says whose it is. Its authenticator has verified its user, so the passkey counts as two factors:
 * something the person has, and something they know or are (NIST SP 800-63B-4 §3.1.7).
 */
export function createPasskeyLogin(
  options: Parts<"passkeyParts" | "users" | "pressure" | "refusals" | "clock"> & {
    readonly admission: AdmissionService;
  },
) {
  const { party, passkeys, challenges, checks } = options.passkeyParts;
  const { admission, users, pressure, refusals, clock } = options;

  /** Tells the audit log why the challenge is refused, without an account. The client learns only that it has to begin anew. */
  function refuseChallenge(flaw: FactorFlaw, client: Client): AppError {
    refusals.add(
      {
        topic: "auth.login-failed",
        payload: { user_id: null, reason: flaw, count: 1 },
        by: byNobody(client),
        outcome: "failure",
        at: clock.now(),
      },
      client.bucket,
    );
    return new AppError("invalid_challenge", { flaw });
  }

  async function flawOf(
    { credential, challenge }: PasskeyAnswer,
    passkey: PasskeyRow,
  ): Promise<Assertion | FactorRefusal> {
    // The user handle is required here. As a second factor a passkey may come without it: there the account is known.
    if (typeof credential.response.userHandle !== "string") return { refused: "foreign_user_handle" };
    return checks.asserted(credential, passkey, challenge);
  }

  /** Lets the user in. Undefined where another request got in between. */
  async function admit(user: UserRow, passkey: PasskeyRow, answer: PasskeyAnswer, attempt: Attempt, client: Client) {
    const assertion = await flawOf(answer, passkey);
    if ("refused" in assertion)
      throw await attempt.failed("invalid_credentials", { user, why: assertion.refused, passkey: assertion.passkey });
    const { challenge, remember } = answer;
    const proof = {
      by: "valid_passkey",
      cameBy: "passkey",
      factor: "passkey",
      holdUser: (signedInAt: number | null) => users.signedIn(user, signedInAt),
      guards: [
        passkeys.used(passkey, assertion, clock.now()),
        passkeys.answer(tokenHash(challenge), challenges.endOf(challenge)),
      ],
      settled: attempt.succeeded,
    } as const;
    const decision = await admission.admit({ user, proof, client, remember });
    if (decision.outcome === "admitted") return decision.signedIn;
    if (decision.outcome === "overtaken" || decision.outcome === "challenged") return undefined;
    if (decision.reason === "inactive") throw await attempt.failed("invalid_credentials", { user, why: "inactive" });
    throw new AppError("email_not_verified", { userId: user.id });
  }

  return {
    /** Returns what the browser needs in order to ask for a passkey of any account. */
    options(browser: string, origin: string | null) {
      party.requireUsable(origin);
      return requestOptions(party, [], challenges.issue({ kind: "login", boundTo: browser }));
    },

    /**
     * Signs in by the passkey. Throws `invalid_challenge` for a challenge that was not given to this browser minutes ago, or was answered
     * before, and `invalid_credentials` for any other fault.
     */
    async login(
      credential: AuthenticationCredential,
      { browser, client }: { readonly browser: string | undefined; readonly client: Client },
      remember: boolean,
    ): Promise<SignedIn> {
      const challenge = readClientData(credential)?.challenge ?? "";
      const flaw =
        browser === undefined
          ? "challenge_of_other_browser"
          : challenges.flawOf(challenge, { kind: "login", boundTo: browser });
      if (flaw !== undefined) throw refuseChallenge(flaw, client);
      const isAnswered = (): Promise<boolean> => passkeys.isAnswered(tokenHash(challenge));
      if (await isAnswered()) throw refuseChallenge("challenge_used_up", client);
      const answer = { credential, challenge, remember };
      const shown = await passkeys.byCredential(credential.id);
      const check = { by: "passkey", credentialId: credential.id, userId: shown?.userId } as const;
      return pressure.attempt(check, client, async (attempt) => {
        let user: UserRow | undefined;
        for (let tries = 0; tries < maxChecks; tries += 1) {
          const passkey = await passkeys.byCredential(credential.id);
          user = passkey === undefined ? undefined : await users.byId(passkey.userId);
          if (passkey === undefined || user === undefined)
            throw await attempt.failed("invalid_credentials", { user, why: "unknown_credential" });
          const signedIn = await admit(user, passkey, answer, attempt, client);
          if (signedIn !== undefined) return signedIn;
          if (await isAnswered()) throw await attempt.failed("invalid_challenge", { user, why: "challenge_used_up" });
        }
        throw await attempt.failed("invalid_credentials", { user, why: "changed_meanwhile" });
      });
    },
  };
}

export type PasskeyLogin = ReturnType<typeof createPasskeyLogin>;
