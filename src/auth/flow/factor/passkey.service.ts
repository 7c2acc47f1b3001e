import type { Occurrence } from "../../../core/audit.ts";
import { randomToken, tokenHash } from "../../../core/crypto.ts";
import { AppError } from "../../../core/errors.ts";
import { FieldFault } from "../../../core/fields.ts";
import type { FactorFlaw } from "../../../core/flaws.ts";
import { newId } from "../../../core/ids.ts";
import type { Client } from "../../client.ts";
import { factorBits } from "../../factor/method.ts";
import { readClientData, type RegistrationCredential } from "../../factor/passkey/passkey.credential.ts";
import { passkeyName } from "../../factor/passkey/passkey.names.ts";
import { creationOptions, offerOptions } from "../../factor/passkey/passkey.options.ts";
import { mostPasskeys, type NewPasskey, type PasskeyRow } from "../../factor/passkey/passkey.repository.ts";
import { tryAnew } from "../../../core/pace/anew.ts";
import { permitFactorChange } from "./factor.service.ts";
import { byUser } from "../../journal.ts";
import { factorAddedJob, noticeJob } from "../../mail/jobs.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import { userFactors } from "../../user/user.factors.repository.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { Parts } from "../parts.ts";
import type { Evictions } from "../eviction/eviction.ts";

export function createPasskeyService(
  options: Parts<"passkeyParts" | "storedFactors" | "journal" | "users" | "sessions" | "pressure" | "clock"> & {
    readonly evictions: Evictions;
    /** Returns the identities of providers that accounts are linked to. */
    readonly identitiesOf: (ids: readonly string[]) => Promise<readonly unknown[]>;
  },
) {
  const { party, policy, passkeys, challenges, checks } = options.passkeyParts;
  const { storedFactors, evictions, identitiesOf, journal, users, sessions, pressure, clock } = options;

  async function userOf({ userId }: SessionRow): Promise<UserRow> {
    const user = await users.byId(userId);
    if (user === undefined || user.active !== 1) throw new AppError("unauthorized");
    return user;
  }

  const happened = (
    topic: "auth.factor-added" | "auth.factor-removed",
    { id, userId }: SessionRow,
    client: Client,
  ): Occurrence => ({
    topic,
    payload: { user_id: userId, factor: "passkey" },
    by: byUser(client),
    sessionId: id,
  });

  /** Returns the client's error for a passkey that was not added. The audit log is told why. */
  async function refuse(flaw: FactorFlaw, { id: sessionId, userId }: SessionRow, client: Client): Promise<AppError> {
    const by = byUser(client);
    const payload = { user_id: userId };
    await journal.commit({
      record: [{ topic: "auth.factor-refused", payload, by, outcome: "failure", reason: flaw, sessionId }],
    });
    if (flaw.startsWith("challenge_")) return new AppError("invalid_challenge", { flaw, userId });
    const fields = {
      credential:
        flaw === "authenticator_not_allowed"
          ? new FieldFault(flaw, "is of no authenticator that is taken here")
          : new FieldFault("invalid_value", "was not accepted"),
    };
    return new AppError("invalid_payload", { fields, flaw, userId });
  }

  /** Returns what the options for a new passkey of either kind are made of. */
  async function creationFor(
    kind: "register" | "offer",
    session: SessionRow,
    { id, username, displayName }: UserRow,
    existing: readonly PasskeyRow[],
  ) {
    const handle = await passkeys.handleOf(id, randomToken(), clock.now());
    const here = existing.filter(({ rpId }) => rpId === party.id);
    const challenge = challenges.issue({ kind, boundTo: session.id });
    return [party, { handle, name: username, displayName }, here, challenge] as const;
  }

  /** Adds the passkey. Undefined where another request got in between. Throws the reason that keeps the passkey from being added. */
  async function add(
    session: SessionRow,
    made: NewPasskey & { readonly name: string; readonly challenge: string; readonly isOffered: boolean },
    client: Client,
  ): Promise<PasskeyRow | undefined> {
    const user = await userOf(session);
    const { name, challenge, isOffered, ...passkey } = made;
    // The factor that the account had is gone: this one would be the first, and nobody has asked for it.
    if (isOffered && user.factors === 0) throw await refuse("challenge_overtaken", session, client);
    const id = newId();
    const now = clock.now();
    const added = await journal.commit({
      statements: [
        userFactors.change(user, user.factors | factorBits.passkey, now),
        sessions.hold(session),
        passkeys.insert({ ...passkey, id, userId: user.id, name }, now),
        passkeys.answer(tokenHash(challenge), challenges.endOf(challenge)),
        ...(isOffered ? [] : [sessions.prove(session, "passkey")]),
        ...evictions.ofFactors(user, user.factors | factorBits.passkey),
      ],
      jobs: [factorAddedJob("passkey_added", user, { about: name, client })],
      tell: [happened("auth.factor-added", session, client)],
    });
    if (added.applied) return passkeys.byId(id, user.id);
    if (added.failedGuard === 1) throw new AppError("unauthorized");
    if (added.failedGuard === 3) throw await refuse("challenge_used_up", session, client);
    if (added.failedGuard === 2)
      throw new AppError((await passkeys.list(user.id)).length < mostPasskeys ? "factor_exists" : "passkey_limit");
    return undefined;
  }

  return {
    list: (userId: string) => passkeys.list(userId),

    /**
     * Returns what devices may know of the account's passkeys here, by the names of WebAuthn, so that they forget all others. Null for an
     * account that never had one.
     */
    async signal(session: SessionRow) {
      const user = await userOf(session);
      const [handle, all] = await Promise.all([passkeys.handle(user.id), passkeys.list(user.id)]);
      if (handle === undefined) return null;
      const { id: rpId } = party;
      return {
        rpId,
        userId: handle,
        allAcceptedCredentialIds: all.filter((each) => each.rpId === rpId).map(({ credentialId }) => credentialId),
        name: user.username,
        displayName: user.displayName,
      };
    },

    /**
     * Returns what the browser needs in order to make a passkey. Throws `passkey_origin` for a page of an origin that could not use it,
     * `reauthentication_required`, and `passkey_limit` for an account that is full.
     */
    async registrationOptions(session: SessionRow, origin: string | null) {
      party.requireUsable(origin);
      await sessions.requireFreshProof(session);
      const user = await userOf(session);
      const existing = await passkeys.list(user.id);
      if (existing.length >= mostPasskeys) throw new AppError("passkey_limit");
      return creationOptions(policy, ...(await creationFor("register", session, user, existing)));
    },

    /**
     * Returns what the browser needs in order to make a passkey by itself, while nobody waits for it. Null where none is offered: the session
     * was not opened by a password and a second factor minutes ago, or the account has no room. An account without a second factor is offered
     * none, since the passkey would be one, and keep its person out wherever they don't have it.
     */
    async offer(session: SessionRow, origin: string | null) {
      party.requireUsable(origin);
      if (!policy.offers || !(await sessions.isByPasswordAndFactor(session))) return null;
      const user = await userOf(session);
      const existing = await passkeys.list(user.id);
      if (existing.length >= mostPasskeys) return null;
      return offerOptions(...(await creationFor("offer", session, user, existing)));
    },

    /** Adds the passkey that the browser has made. Throws `factor_exists` for one that any account has already. */
    async register(
      session: SessionRow,
      { credential, name }: { readonly credential: RegistrationCredential; readonly name: string | undefined },
      client: Client,
    ): Promise<PasskeyRow> {
      await permitFactorChange(session, { sessions, pressure });
      const challenge = readClientData(credential)?.challenge ?? "";
      const flawAs = (kind: "register" | "offer") => challenges.flawOf(challenge, { kind, boundTo: session.id });
      const isOffered = policy.offers && flawAs("offer") !== "challenge_unknown";
      const flaw = flawAs(isOffered ? "offer" : "register");
      if (flaw !== undefined) throw await refuse(flaw, session, client);
      const made = await checks.registered(credential, { challenge, isOffered });
      if ("refused" in made) throw await refuse(made.refused, session, client);
      const passkey = { ...made, name: name ?? passkeyName(made.aaguid, client.userAgent), challenge, isOffered };
      return tryAnew(() => add(session, passkey, client));
    },

    /** Renames the passkey. Its owner knows it by its name, so a new name takes a fresh proof, as every change of a second factor does. */
    async rename(session: SessionRow, id: string, name: string, client: Client): Promise<PasskeyRow> {
      await permitFactorChange(session, { sessions, pressure });
      const renamed = await journal.commit({
        statements: [users.lock(session.userId), sessions.hold(session), passkeys.rename(id, session.userId, name)],
        record: [
          {
            topic: "auth.factor-renamed",
            payload: { user_id: session.userId },
            by: byUser(client),
            sessionId: session.id,
          },
        ],
      });
      if (!renamed.applied && renamed.failedGuard < 2) throw new AppError("unauthorized");
      const passkey = renamed.applied ? await passkeys.byId(id, session.userId) : undefined;
      if (passkey === undefined) throw new AppError("factor_not_found");
      return passkey;
    },

    /**
     * Removes the passkey. The removal of the last second factor removes the recovery codes, too. Throws `last_factor` where the app
     * requires a factor, and `last_auth_method` where nothing else signs in.
     */
    async remove(session: SessionRow, id: string, client: Client): Promise<void> {
      await permitFactorChange(session, { sessions, pressure });
      await tryAnew(async () => {
        const user = await userOf(session);
        const existing = await passkeys.list(user.id);
        const passkey = existing.find((each) => each.id === id);
        if (passkey === undefined) throw new AppError("factor_not_found");
        // Those of a name that the service had before, or of the other app, open nothing here.
        const alike = passkey.rpId === party.id ? existing.filter(({ rpId }) => rpId === party.id) : existing;
        const isLast = alike.length === 1 && user.passwordHash === null;
        if (isLast && (await identitiesOf([user.id])).length === 0) throw new AppError("last_auth_method");
        const left = existing.length === 1 ? storedFactors.without(user, factorBits.passkey) : user.factors;
        const removed = await journal.commit({
          statements: [
            userFactors.change(user, left, clock.now()),
            sessions.hold(session),
            passkeys.remove(id, user.id, existing.length),
            ...storedFactors.removeUnset(user.id),
            ...evictions.ofFactors(user, left),
          ],
          jobs: [noticeJob("passkey_removed", { userId: user.id }, { about: passkey.name, client })],
          tell: [happened("auth.factor-removed", session, client)],
        });
        if (removed.applied) return true;
        if (removed.failedGuard === 1) throw new AppError("unauthorized");
        return undefined;
      });
    },
  };
}

export type PasskeyService = ReturnType<typeof createPasskeyService>;
