import type { Occurrence } from "../../../core/audit.ts";
import { AppError, invalidFields } from "../../../core/errors.ts";
import { missingField } from "../../../core/fields.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import type { Client } from "../../client.ts";
import type { InvitationRow } from "../../invitation/invitation.repository.ts";
import { invitationState } from "../../invitation/invitation.tokens.ts";
import { byUser } from "../../journal.ts";
import { findConflict } from "../../user/find.ts";
import type { Memberships } from "../organization/memberships.ts";
import { applyRoles, readRoles } from "../../user/roles.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { AdmissionService, SignedIn } from "../admission.ts";
import type { Registration, RegistrationService } from "../registration.service.ts";
import type { Parts } from "../parts.ts";
import { tryAnew } from "../../../core/pace/anew.ts";

/** The choices of a person without an account. */
export interface AcceptanceForm extends Omit<Registration, "email" | "password"> {
  readonly token: string;
  readonly password?: string | undefined;
}

interface Bearer {
  readonly client: Client;
  /** The user of the session that the request came with, if any. */
  readonly userId: string | undefined;
}

/** An invitation's gift to the account that is made by accepting it. */
export interface Welcome {
  readonly email: string;
  readonly emailKey: string;
  readonly displayName: string | null;
  readonly locale: string | null;
  /** Returns the account as the invitation makes it: with a proven address and the invitation's roles. */
  receive(user: UserRow): UserRow;
  /** Returns the guards and the occurrences for the batch that inserts the account. */
  proofFor(userId: string, client: Client): Joining;
}

interface Joining {
  readonly statements: readonly Statement[];
  readonly tell: readonly Occurrence[];
}

/** The account that has the invited address. `none`: nobody's. `own`: the one that the bearer of the token is signed in to. */
export type InvitedAccount = "none" | "own" | "other";

interface Accepted {
  readonly user: UserRow;
  /** Undefined where the account was there already. */
  readonly signedIn?: SignedIn;
}

/**
 * Accepting an invitation. Its token was mailed, and so proves the address, but opens no account that exists: an existing account gets the
 * roles only if the bearer of the token is signed in to it as well.
 */
export function createAcceptance(
  options: Parts<"journal" | "users" | "invitations" | "tokens" | "clock"> & {
    readonly admission: AdmissionService;
    readonly registration: RegistrationService;
    readonly memberships: Pick<Memberships, "joining" | "refusalOf" | "requiredOfInvited">;
  },
) {
  const { admission, registration, memberships, journal, users, invitations, tokens, clock } = options;

  function accepted(
    { id, organizationId, organizationRoles }: InvitationRow,
    userId: string,
    roles: readonly string[],
    client: Client,
  ): readonly Occurrence[] {
    const payload = { invitation_id: id, user_id: userId };
    const to = organizationId === null ? {} : { organization_id: organizationId };
    return [
      { topic: "auth.invitation-accepted", payload: { ...payload, ...to }, by: byUser(client) },
      ...(organizationId === null
        ? []
        : [
            {
              topic: "organization.member-added",
              payload: { organization_id: organizationId, user_id: userId, roles: readRoles(organizationRoles ?? "") },
              by: byUser(client),
            } as const,
          ]),
      // The inviter has chosen the roles: the rows of the invitation say who that was.
      ...roles.map(
        (role) => ({ topic: "auth.role-added", payload: { user_id: userId, role }, by: { actor: "system" } }) as const,
      ),
    ];
  }

  /** Makes the statements by which the invited person joins the organization, if it is an invitation to one. */
  const joins = ({ organizationId, organizationRoles }: InvitationRow, userId: string): readonly Statement[] =>
    organizationId === null ? [] : memberships.joining({ organizationId, userId, roles: organizationRoles ?? "" });

  const welcomeOf = (invitation: InvitationRow): Welcome => ({
    email: invitation.email,
    emailKey: invitation.emailKey,
    displayName: invitation.displayName,
    locale: invitation.locale,
    receive: (user) => ({ ...user, emailVerifiedAt: clock.now(), roles: invitation.roles }),
    proofFor: (userId, client) => ({
      statements: [...joins(invitation, userId), invitations.accept(invitation, userId, clock.now())],
      tell: accepted(invitation, userId, readRoles(invitation.roles), client),
    }),
  });

  /** Throws why the person can't join the organization, if it is an invitation to one. */
  async function requireRoom({ organizationId }: InvitationRow, userId: string | undefined): Promise<void> {
    const refusal = organizationId === null ? undefined : await memberships.refusalOf(organizationId, userId);
    if (refusal !== undefined) throw new AppError(refusal);
  }

  /** Makes the statements that give the invitation to the user. They hold only while neither the invitation nor the account is changed. */
  function joining(user: UserRow, invitation: InvitationRow, client: Client): Joining {
    const now = clock.now();
    const { stored, added } = applyRoles(user.roles, { add: readRoles(invitation.roles), remove: [] });
    return {
      statements: [
        users.verifyEmail(user.id, invitation.emailKey, now),
        ...(added.length === 0 ? [] : [users.changeRoles(user.id, user.roles, stored, now)]),
        ...joins(invitation, user.id),
        invitations.accept(invitation, user.id, now),
      ],
      tell: [
        ...(user.emailVerifiedAt === null
          ? [{ topic: "auth.email-verified", payload: { user_id: user.id }, by: byUser(client) } as const]
          : []),
        ...accepted(invitation, user.id, added, client),
      ],
    };
  }

  /** Throws `provider_required` where the organization wants newcomers with such an address to come by its own provider. */
  async function requireNoProvider({ organizationId, emailKey }: InvitationRow): Promise<void> {
    const required =
      organizationId === null ? undefined : await memberships.requiredOfInvited?.(organizationId, emailKey);
    if (required !== undefined) throw new AppError("provider_required", { redirect: required.redirect });
  }

  /** Makes the account. Undefined when another request was faster: look again. */
  async function register(
    invitation: InvitationRow,
    { token, password, username, timezone, ...form }: AcceptanceForm,
    client: Client,
    remember: boolean,
  ): Promise<SignedIn | undefined> {
    await requireNoProvider(invitation);
    if (password === undefined) throw invalidFields({ password: missingField });
    const { email, displayName, locale } = invitation;
    const registering = {
      email,
      password,
      username,
      timezone,
      acceptedTerms: form.acceptedTerms,
      displayName: form.displayName ?? displayName ?? undefined,
      locale: form.locale ?? locale ?? undefined,
    };
    const welcome = welcomeOf(invitation);
    const by = `invitation|${invitation.id}`;
    const prepared = await registration.prepare(registering, client, by).catch(async (error: unknown) => {
      // Another acceptance of the same invitation may have taken the name: then this throws the better reason.
      await tokens.find(token);
      throw error;
    });
    const user = welcome.receive(prepared);
    const { statements, tell } = welcome.proofFor(user.id, client);
    const decision = await admission.admitNewcomer({
      user,
      proof: { by: "valid_invitation", cameBy: "password", registers: { tell, isInvited: true }, guards: statements },
      client,
      remember,
    });
    if (decision.outcome === "admitted") return decision.signedIn;
    if (decision.outcome === "refused")
      throw new AppError(decision.reason === "inactive" ? "account_inactive" : decision.reason);
    const conflict = await findConflict(users, user, clock.now());
    if (conflict?.reason === "username_taken") {
      await tokens.find(token);
      throw conflict;
    }
    return undefined;
  }

  return {
    /** Returns what there is to accept. Changes nothing: programs open the links of mails, too. */
    async show(token: string, userId: string | undefined) {
      const invitation = await tokens.find(token);
      const owner = await users.byEmail(invitation.emailKey);
      const account: InvitedAccount = owner === undefined ? "none" : owner.id === userId ? "own" : "other";
      return { invitation, account };
    },

    /** Makes the account and signs in to it, or gives the invitation to an existing account. A refused password leaves the token usable. */
    accept: (form: AcceptanceForm, { client, userId }: Bearer, remember: boolean): Promise<Accepted> =>
      tryAnew(async () => {
        const invitation = await tokens.find(form.token);
        const owner = await users.byEmail(invitation.emailKey);
        if (owner === undefined) {
          const signedIn = await register(invitation, form, client, remember);
          if (signedIn === undefined) await requireRoom(invitation, undefined);
          return signedIn && { user: signedIn.user, signedIn };
        }
        if (owner.id !== userId) {
          // Another acceptance of the same invitation may have made the account since: then this throws the better reason.
          await tokens.find(form.token);
          throw new AppError("invitation_sign_in_required");
        }
        const { applied } = await journal.commit(joining(owner, invitation, client));
        if (applied) return { user: (await users.byId(owner.id)) ?? owner };
        await requireRoom(invitation, owner.id);
        return undefined;
      }),

    /** Returns what the invitation with this token hash brings. Throws why there is nothing to accept. */
    async welcomeByHash(hash: string): Promise<Welcome> {
      const invitation = await tokens.findByHash(hash);
      if ((await users.byEmail(invitation.emailKey)) === undefined) await requireNoProvider(invitation);
      return welcomeOf(invitation);
    },

    /** Returns what an invitation to an organization brings that waits for this address; undefined where none does. */
    async welcomeTo(emailKey: string, organizationId: string): Promise<Welcome | undefined> {
      const invitation = await invitations.waiting(emailKey, organizationId);
      const waits = invitation !== undefined && invitationState(invitation, clock.now()) === "waiting";
      return waits ? welcomeOf(invitation) : undefined;
    },

    /** Returns the statements that go along with the session of a person who signs in to the account that has the invited address. */
    async joiningByHash(hash: string, user: UserRow, client: Client): Promise<Joining> {
      const invitation = await tokens.findByHash(hash);
      if (user.emailKey !== invitation.emailKey) throw new AppError("identity_already_linked");
      return joining(user, invitation, client);
    },
  };
}

export type AcceptanceService = ReturnType<typeof createAcceptance>;
