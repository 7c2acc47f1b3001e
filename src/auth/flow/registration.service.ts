import type { Config } from "../../config/index.ts";
import { type By, byOperator } from "../../core/audit.ts";
import { AppError, invalidFields, overtaken } from "../../core/errors.ts";
import { type FieldFaults, faultsAmong, isFault } from "../../core/fields.ts";
import type { SessionDebug } from "../../core/flaws.ts";
import { newId } from "../../core/ids.ts";
import type { Place } from "../../core/pace/fair.turns.ts";
import { readPassword, readText } from "../../core/text/text.ts";
import type { Statement } from "../../drivers/database/index.ts";
import { placeOf, type Client, placeOfActor } from "../client.ts";
import { byNobody } from "../journal.ts";
import { invitingShares } from "./invitation/inviting.shares.ts";
import { addressTakenJob, firstPasswordJob } from "../mail/jobs.ts";
import { type PasswordPolicy, createPasswordPolicy } from "../password/password.policy.ts";
import type { Metadata } from "../metadata/metadata.repository.ts";
import { findConflict } from "../user/find.ts";
import { addressKey, ownUsernameKey } from "../user/profile.fields.ts";
import { applyRoles } from "../user/roles.ts";
import type { UserRow } from "../user/user.repository.ts";
import { freshUser } from "../user/user.row.ts";
import type { AdmissionService, Arrival, NewcomerProof, SignedIn } from "./admission.ts";
import type { Parts } from "./parts.ts";
import type { RegistrationRules } from "./registration.rules.ts";

type RegistrationOptions = Parts<"journal" | "users" | "metadata" | "hasher" | "policy" | "pressure" | "clock"> & {
  readonly admission: AdmissionService;
  readonly rules: RegistrationRules;
  readonly config: Pick<Config["auth"], "registrationEnabled">;
  /** Called with the account that has the address already, where inspects are on: the answer does not name it. */
  readonly watch?: ((event: SessionDebug) => void) | undefined;
};

/** The fields of a new account. A person without a password chooses one by a mailed link. */
interface NewAccount {
  readonly email: string;
  readonly password?: string | undefined;
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
  /** The version of the terms that the person accepts. */
  readonly acceptedTerms?: string | undefined;
}

export interface Registration extends NewAccount {
  readonly password: string;
}

/** Fields that only operators, staff and services set on a new account. */
export interface OperatorsRegistration extends NewAccount {
  readonly verified: boolean;
  readonly roles?: readonly string[];
  readonly externalId?: string | null | undefined;
  readonly metadata?: Metadata | undefined;
  readonly avatarUrl?: string | null | undefined;
  /** A hash that another system has made of the password, in place of the password. */
  readonly passwordHash?: string | undefined;
  /** Whether a link is mailed by which the person chooses their first password. */
  readonly invites?: boolean | undefined;
}

/** Returns text and password in the form in which they are stored. A name of nothing but spaces is none. Throws `invalid_payload`. */
export function readRegistration({ locale, timezone, acceptedTerms, ...form }: NewAccount): NewAccount {
  const email = readText(form.email);
  const password = form.password === undefined ? undefined : readPassword(form.password);
  const username = readText(form.username ?? "");
  const displayName = readText(form.displayName ?? "");
  if (isFault(email) || isFault(password) || isFault(username) || isFault(displayName))
    throw invalidFields({ email, password, username, display_name: displayName });
  const names = { username: username || undefined, displayName: displayName || undefined };
  return { email, password, ...names, locale, timezone, acceptedTerms };
}

/** Returns the keys of the account that the fields make, or what is wrong with them. Without a chosen name, the address is the name. */
async function judge(policy: PasswordPolicy, { email, username, password }: Partial<NewAccount>) {
  const key = email === undefined ? undefined : addressKey(email);
  const owner = { username: username ?? email ?? "", email: email ?? "" };
  return {
    email: key,
    username: username === undefined ? undefined : ownUsernameKey(username, key),
    password: password === undefined ? undefined : await policy.weakness(password, owner),
  };
}

const registrationFaults = async (policy: PasswordPolicy, form: Partial<NewAccount>): Promise<FieldFaults> =>
  faultsAmong(await judge(policy, form));

export function createRegistrationService(options: RegistrationOptions) {
  const { config, admission, rules, journal, users, metadata, hasher, policy, pressure, watch, clock } = options;

  async function newUser(registration: NewAccount, place: Place, client?: Client): Promise<UserRow> {
    const { email, password, username, displayName } = registration;
    const judged = await judge(policy, registration);
    const { email: key, username: nameKey = key } = judged;
    if (typeof key !== "string" || typeof nameKey !== "string") throw invalidFields(judged);
    if (judged.password !== undefined) throw new AppError("weak_password", { fields: faultsAmong(judged) });
    const name = username ?? email;
    return freshUser({
      id: newId(),
      username: name,
      usernameKey: nameKey,
      email,
      emailKey: key,
      displayName: displayName ?? name,
      passwordHash: password === undefined ? null : await hasher.hash(password, place),
      passwordAtLeast: password === undefined ? null : policy.knownLength(password),
      timezone: registration.timezone ?? null,
      locale: registration.locale ?? client?.locale ?? null,
      ...rules.accepted(registration.acceptedTerms),
      createdAt: clock.now(),
    });
  }

  /** Tells only the owner of an address that somebody tried to register it. */
  async function tellOwner(owner: UserRow, address: UserRow, client: Client): Promise<void> {
    watch?.({ outcome: "registration_refused", reason: "email_taken", userId: owner.id, session: undefined });
    await journal.commit({
      statements: [pressure.mailShare(owner.id)],
      jobs: [addressTakenJob(owner, address, client)],
      tell: [
        {
          topic: "auth.registration-refused",
          payload: { user_id: owner.id },
          by: byNobody(client),
          outcome: "failure",
          reason: "email_taken",
        },
      ],
    });
  }

  /**
   * A taken address is answered like a free one. A taken user name is told before the address is looked at: otherwise a name known to be
   * taken could tell free addresses from taken ones. The address is looked up rather than learnt from a refused insert, so that a taken one
   * takes no more writes, and so no longer, than a free one.
   */
  async function registerInSilence(arrival: Arrival<NewcomerProof>): Promise<undefined> {
    const { user, client } = arrival;
    const isNamedByAddress = user.usernameKey === user.emailKey;
    if (!isNamedByAddress && (await users.claimantOfUsername(user.usernameKey, clock.now())) !== undefined)
      throw new AppError("username_taken");
    let owner = await users.claimantOfEmail(user.emailKey, clock.now());
    if (owner === undefined) {
      const { outcome } = await admission.admitNewcomer(arrival);
      if (outcome !== "overtaken") return;
      owner = await users.claimantOfEmail(user.emailKey, clock.now());
    }
    if (owner === undefined) throw new AppError("username_taken");
    await tellOwner(owner, user, client);
  }

  return {
    /**
     * Makes the row of a new user; nothing is stored yet. `by` names the permission that lets this client register, such as an invitation:
     * others don't have it. Throws `weak_password` and `invalid_payload`.
     */
    prepare: (registration: Registration, client: Client, by: string): Promise<UserRow> =>
      newUser(registration, placeOf(client, by), client),

    /** Throws `registration_closed` where nobody may register. Called before all other checks, so that the answer is the same for everybody. */
    requireOpen(): void {
      if (!config.registrationEnabled) throw new AppError("registration_closed");
    },

    /** Makes the account and signs in. Resolves to undefined where addresses must be verified first: then nobody is signed in. */
    async register(registration: Registration, client: Client, remember: boolean): Promise<SignedIn | undefined> {
      const user = await newUser(registration, placeOf(client), client);
      const arrival = {
        user,
        proof: { by: "new_account", cameBy: "password", registers: { tell: [], isAllowed: true } } as const,
        client,
        remember,
      };
      // Before anything is looked up, so that a taken address is answered like a free one here as well.
      await admission.mayRegister(arrival);
      if (admission.mustVerify(user)) return registerInSilence(arrival);
      const decision = await admission.admitNewcomer(arrival);
      switch (decision.outcome) {
        case "admitted":
          return decision.signedIn;
        case "overtaken":
          throw (await findConflict(users, user, clock.now())) ?? overtaken();
        case "refused":
          throw new AppError(decision.reason === "inactive" ? "account_inactive" : decision.reason);
      }
    },

    /**
     * Registers a person on the word of an operator, a member of staff or a service: no session is opened, and no mail sent but the one that
     * invites. `holds` are guards of the same batch; undefined where one of them does not hold. Throws `rate_limited` where that mail is one
     * too many.
     */
    async create(
      { verified, roles, externalId = null, metadata: kept, ...others }: OperatorsRegistration,
      by: By,
      holds: readonly Statement[] = [],
    ): Promise<UserRow | undefined> {
      const { avatarUrl = null, passwordHash, invites = false, ...registration } = others;
      const { stored, added } = applyRoles("", { add: roles ?? [], remove: [] });
      const user = await newUser(registration, placeOfActor(by));
      const created = {
        ...user,
        emailVerifiedAt: verified ? user.createdAt : null,
        roles: stored,
        externalId,
        avatarUrl,
        passwordHash: passwordHash ?? user.passwordHash,
      };
      const shares = invites ? invitingShares(pressure, created.emailKey, by) : undefined;
      const rows = [...holds, users.insert(created, clock.now()), ...(kept ? [metadata.insert(created.id, kept)] : [])];
      const committed = await journal.commit({
        statements: [...rows, ...(shares?.statements ?? [])],
        jobs: invites ? [firstPasswordJob(created)] : [],
        tell: [
          { topic: "auth.registered", payload: { user_id: user.id, session_id: null }, by },
          ...(invites ? [{ topic: "auth.password-reset-sent", payload: { user_id: user.id }, by } as const] : []),
          ...added.map((role) => ({ topic: "auth.role-added", payload: { user_id: user.id, role }, by }) as const),
        ],
      });
      if (committed.applied) return created;
      if (committed.failedGuard < holds.length) return undefined;
      if (shares !== undefined && committed.failedGuard >= rows.length) throw await shares.refusal();
      throw (await findConflict(users, created, clock.now())) ?? overtaken();
    },

    /** Throws where an account with these fields could not be made now, whatever its password. */
    async requireFree(form: NewAccount): Promise<void> {
      const conflict = await findConflict(users, await newUser(form, placeOfActor(byOperator)), clock.now());
      if (conflict !== undefined) throw conflict;
    },

    faults: async (form: Partial<NewAccount>): Promise<FieldFaults> => registrationFaults(policy, form),
  };
}

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/**
 * Returns what is wrong with the account that a start is configured to make, by the field of a registration; nothing when it can be made.
 * Called before the start, which finds such a fault only once the database is open.
 */
export async function bootstrapFaults(auth: Config["auth"]): Promise<FieldFaults> {
  if (auth.bootstrap === undefined) return {};
  try {
    return await registrationFaults(createPasswordPolicy(auth), readRegistration(auth.bootstrap));
  } catch (error) {
    if (error instanceof AppError && error.fields !== undefined) return error.fields;
    throw error;
  }
}
