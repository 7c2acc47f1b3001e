import type { Config } from "../../config/index.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import type { LoginFlaw } from "../../core/flaws.ts";
import type { Client } from "../client.ts";
import type { GrantRow } from "../grant/grant.columns.ts";
import { byUser } from "../journal.ts";
import { emailLoginJob } from "../mail/jobs.ts";
import { checkOf } from "../pressure/device.proof.ts";
import type { Attempt } from "../pressure/pressure.ts";
import { loginKey } from "../user/identifiers.ts";
import type { UserRow } from "../user/user.repository.ts";
import { type SignIn, type UserProof, type AdmissionService } from "./admission.ts";
import { recordEvicted, type Evictions } from "./eviction/eviction.ts";
import type { Parts } from "./parts.ts";
import { refusedLogin } from "./refused.login.ts";

type EmailSignInOptions = Parts<"journal" | "users" | "grants" | "pressure" | "devices" | "clock" | "log"> & {
  readonly admission: AdmissionService;
  readonly evictions: Evictions;
  readonly config: Pick<Config["auth"], "emailLoginEnabled" | "emailLoginTtlMs">;
};

export interface TypedCode {
  readonly login: string;
  readonly code: string;
  /** The secret that the browser was given when it asked for the mail; undefined where the request came without it. */
  readonly browser: string | undefined;
}

interface Redemption {
  readonly grant: GrantRow;
  readonly user: UserRow;
  readonly client: Client;
  readonly remember: boolean;
  /** The counted attempt, where the proof was counted as a password is. */
  readonly attempt?: Attempt;
}

const triesOfACode = 5;
/** How often an account is looked at anew when another request changes it between the look and the commit. */
const maxLooks = 3;

const invalidCode = (flaw: LoginFlaw, userId?: string): AppError => new AppError("invalid_code", { flaw, userId });

/**
 * Signing in by a mail. Its link is a token that works in any browser. Its code is six digits, so the code works only in a browser that
 * asked, and wrong codes count as wrong passwords do. Either proves the address, and is worth nothing after a new password.
 */
export function createEmailSignIn(options: EmailSignInOptions) {
  const { config, admission, journal, users, grants, evictions, pressure, devices, clock, log } = options;

  /**
   * Proves the address for the first time, in a commit of its own before the sign-in. Anybody can have registered the address and chosen a
   * password: everything that the account held until now ends, and the password opens it no longer.
   */
  async function proveAddress(grant: GrantRow, user: UserRow, client: Client): Promise<void> {
    const now = clock.now();
    const evicted = evictions.evict(user.id, "address_proven", { exceptGrant: grant.id });
    const proven = await journal.commit({
      statements: [
        users.hold(user.id, now),
        ...evicted.statements,
        grants.hold(grant),
        users.disown(user.id, grant.emailKey, now),
        users.verifyEmail(user.id, grant.emailKey, now),
      ],
      tell: [{ topic: "auth.email-verified", payload: { user_id: user.id }, by: byUser(client) }],
    });
    if (proven.applied) await recordEvicted(journal, log, evicted.tell(proven.results.slice(1), client));
  }

  /** Redeems the grant and signs in. Undefined where another request has used the grant or changed the account meanwhile. */
  async function redeem({ grant, user, client, remember, attempt }: Redemption): Promise<SignIn | undefined> {
    if (user.active === 1 && user.emailVerifiedAt === null) {
      await proveAddress(grant, user, client);
      return undefined;
    }
    const proof: UserProof = {
      by: "valid_mail",
      cameBy: "email",
      holdUser: (signedInAt) => users.signedIn(user, signedInAt),
      guards: [...grants.redeem(grant, "email_login"), ...evictions.evict(user.id, "signed_in_by_mail").statements],
      settled: attempt?.succeeded ?? [],
      challenge: { settled: attempt?.halfway ?? [], forgives: attempt?.keys },
    };
    const decision = await admission.admit({ user, proof, client, remember });
    if (decision.outcome === "admitted") return decision.signedIn;
    if (decision.outcome === "challenged") return decision.challenged;
    if (decision.outcome === "overtaken") return undefined;
    await journal.commit({ tell: [refusedLogin(user.id, decision.reason, client)] });
    throw invalidCode("inactive", user.id);
  }

  /** Counts a try. Returns false once the code has had its tries in that browser; where there is no code, the browser stands for it. */
  async function isTry(of: string): Promise<boolean> {
    const durationMs = config.emailLoginTtlMs;
    const { statements } = pressure.shares([{ subject: `mailed-code|${of}`, limit: triesOfACode, durationMs }]);
    return (await journal.commit({ statements })).applied;
  }

  return {
    requireEnabled(): void {
      if (!config.emailLoginEnabled) throw new AppError("email_login_disabled");
    },

    /** Asks for the mail. Looks nobody up, so that neither answer nor time tells whether the account exists. */
    async request(login: string, browser: string, client: Client): Promise<void> {
      await journal.commit({ jobs: [emailLoginJob(login, tokenHash(browser), client)] });
    },

    async confirmToken(token: string, client: Client, remember: boolean): Promise<SignIn> {
      for (let looks = 0; looks < maxLooks; looks += 1) {
        const grant = await grants.find(token, "email_login");
        const user = grant === undefined ? undefined : await users.byId(grant.userId);
        if (grant === undefined || user === undefined) break;
        const signIn = await redeem({ grant, user, client, remember });
        if (signIn !== undefined) return signIn;
      }
      throw invalidCode("no_mailed_link");
    },

    /**
     * Signs in by the code. Gives the same answer after the same work, whether the login is an account, whether a mail went to it and
     * whether this browser has asked for it.
     */
    async confirmCode({ login, code, browser }: TypedCode, client: Client, remember: boolean): Promise<SignIn> {
      const key = loginKey(login);
      const named = await users.byLogin(key);
      const check = checkOf(named, key, devices.deviceOf(client.devices ?? [], named));
      const browserHash = tokenHash(browser ?? "");
      return pressure.attempt(check, client, async (attempt) => {
        let flaw: LoginFlaw = "changed_meanwhile";
        let user: UserRow | undefined;
        let hasTries: boolean | undefined;
        for (let looks = 0; looks < maxLooks; looks += 1) {
          user = await users.byLogin(key);
          const { grant, isRight } = await grants.findByCode(browserHash, code, "email_login");
          hasTries ??= await isTry(grant === undefined ? browserHash : `${grant.id}|${browserHash}`);
          const why = flawOf(user, grant, { isRight, hasTries, isBlocked: attempt.isBlocked });
          if (why !== undefined) flaw = why;
          if (user === undefined || grant === undefined || why !== undefined) break;
          const signIn = await redeem({ grant, user, client, remember, attempt });
          if (signIn !== undefined) return signIn;
        }
        throw await attempt.failed("invalid_code", { user, why: flaw });
      });
    },
  };
}

export type EmailSignIn = ReturnType<typeof createEmailSignIn>;

/** Returns why the code proves nothing: for the audit log, never for the client. */
function flawOf(
  user: UserRow | undefined,
  grant: GrantRow | undefined,
  found: { readonly isRight: boolean; readonly hasTries: boolean; readonly isBlocked: boolean },
): LoginFlaw | undefined {
  if (user === undefined) return "unknown_login";
  if (grant?.userId !== user.id) return "no_mailed_code";
  if (!found.hasTries) return "mailed_code_used_up";
  if (!found.isRight) return "wrong_mailed_code";
  if (user.active !== 1) return "inactive";
  return found.isBlocked ? "logins_blocked" : undefined;
}
