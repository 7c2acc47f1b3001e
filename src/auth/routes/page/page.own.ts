import { everythingKept } from "../session/cookies.ts";
import { byUser } from "../../journal.ts";
import { timestamp } from "../../../core/clock.ts";
import type { ResponseHead } from "../../../http/index.ts";
import type { ProfileEdit } from "../../flow/account/profile.service.ts";
import type { Behind } from "../../impersonation/impersonations.ts";
import type { PersonalToken } from "../../token/token.repository.ts";
import type { UserRow } from "../../user/user.repository.ts";
import { presentExport } from "../account/export.view.ts";
import type { Parts } from "../parts.ts";
import { ChangePasswordBody, DeleteAccountBody, ProfileBody } from "../schemas.ts";
import type { Viewer } from "./page.auth.ts";
import { readForm } from "./page.form.ts";

export type PageOwn = ReturnType<typeof createPageOwn>;

/** The most pages of the log in one document: the document is made in memory, and strangers who guess passwords add rows. */
const mostPages = 10;

const nothing: Omit<ProfileEdit, "email" | "username"> = {
  displayName: undefined,
  avatarUrl: undefined,
  timezone: undefined,
  locale: undefined,
  userMetadata: undefined,
  acceptedTerms: undefined,
  currentPassword: undefined,
};

/** The devices that the viewer is signed in on. */
const createPageDevices = ({ sessions, cookies, clientOf }: Parts<"sessions" | "cookies" | "clientOf">) => ({
  /** Returns the sessions of the account itself, this one first, then each by its last use. Programs have theirs elsewhere. */
  async devices({ session }: Viewer) {
    const own = (await sessions.list(session)).filter(({ client }) => client === null);
    return own.toSorted(
      (a, b) => Number(b.current) - Number(a.current) || Date.parse(b.last_seen_at) - Date.parse(a.last_seen_at),
    );
  },

  endDevice: (request: Request, { session }: Viewer, id: string): Promise<void> =>
    sessions.revoke(id, session.userId, clientOf(request)),

  async endEverywhere(request: Request, head: ResponseHead, { session }: Viewer): Promise<void> {
    await sessions.endAll(session.userId, byUser(clientOf(request)));
    cookies.clear(head, request);
    head.headers["clear-site-data"] = everythingKept;
  },
});

/** The viewer's own password. */
const createPagePasswords = ({
  profiles,
  passwords,
  passwordless,
  pressure,
  cookies,
  clientOf,
}: Parts<"profiles" | "passwords" | "passwordless" | "pressure" | "cookies" | "clientOf">) => ({
  /** Sends the mail by which a person chooses a first password. Resolves to their address. */
  async sendFirstPassword(request: Request, { session }: Viewer): Promise<string> {
    const client = clientOf(request);
    const { email } = await profiles.find(session.userId);
    await pressure.limitAddress("password-reset", client);
    await passwords.requestReset(email, client);
    return email;
  },

  /** Takes the fields `current_password` and `new_password`, and ends the other sessions. */
  async changePassword(
    request: Request,
    head: ResponseHead,
    { session }: Viewer,
    form: URLSearchParams,
  ): Promise<void> {
    const { current_password: current, new_password: next } = await readForm(ChangePasswordBody, form);
    cookies.signIn(head, request, await passwords.change(session, current, next, clientOf(request)));
  },

  /** Whether the person may take the password off the account. */
  canRemovePassword: (user: UserRow): Promise<boolean> => passwordless.canRemove(user),

  /** Takes the password off the account, and ends the other sessions. */
  async removePassword(request: Request, { session }: Viewer): Promise<void> {
    await passwordless.remove(session, clientOf(request));
  },
});

/** The tokens that the viewer has made for scripts. */
const createPageTokens = ({ tokens, clientOf }: Parts<"tokens" | "clientOf">) => ({
  tokens: ({ session }: Viewer): Promise<readonly PersonalToken[]> => tokens.list(session.userId),

  /** Ends a token at once. Throws `personal_token_not_found` for an unknown, foreign or ended one alike. */
  revokeToken: (request: Request, { session }: Viewer, id: string): Promise<void> =>
    tokens.revoke(session, id, clientOf(request)),
});

/** Serves pages that the server writes about the viewer's own account. Every refusal is thrown as AppError. */
export function createPageOwn(
  options: Parts<
    | "profiles"
    | "passwords"
    | "passwordless"
    | "verification"
    | "sessions"
    | "exports"
    | "deletion"
    | "impersonations"
    | "pressure"
    | "cookies"
    | "clientOf"
    | "clock"
    | "tokens"
  >,
) {
  const { profiles, verification, exports, deletion, pressure, cookies, clientOf, clock } = options;

  const edit = (request: Request, { session }: Viewer, change: Partial<ProfileEdit>): Promise<UserRow> =>
    profiles.edit(session, { ...nothing, email: undefined, username: undefined, ...change }, clientOf(request));

  return {
    ...createPageDevices(options),
    ...createPagePasswords(options),
    ...createPageTokens(options),

    /** Returns who looks at the account in its person's name; null where the person does. */
    impersonatorOf: ({ session }: Viewer): Promise<Behind | null> => options.impersonations.behind(session),

    user: ({ session }: Viewer): Promise<UserRow> => profiles.find(session.userId),

    /** Returns the version of the terms that the person has yet to accept; null where there is none. */
    termsDue: (user: UserRow): string | null => profiles.termsDue(user),

    async acceptTerms(request: Request, viewer: Viewer, form: URLSearchParams): Promise<void> {
      const { accepted_terms: acceptedTerms } = await readForm(ProfileBody, form);
      await edit(request, viewer, { acceptedTerms });
    },

    /** Takes the fields `display_name`, `avatar_url`, `timezone` and `locale`. An empty field takes its value away. */
    async editProfile(request: Request, viewer: Viewer, form: URLSearchParams): Promise<UserRow> {
      const fields = await readForm(ProfileBody, form);
      const { display_name: displayName, avatar_url: avatarUrl, timezone, locale } = fields;
      return edit(request, viewer, { displayName, avatarUrl, timezone, locale });
    },

    /** Takes the field `username`, which needs a proof that is minutes old. */
    async rename(request: Request, viewer: Viewer, form: URLSearchParams): Promise<void> {
      const { username } = await readForm(ProfileBody, form);
      await edit(request, viewer, { username });
    },

    /** Asks for another address, with the fields `email` and `current_password`. Resolves to the account as it is then. */
    async changeAddress(request: Request, viewer: Viewer, form: URLSearchParams): Promise<UserRow> {
      const { email, current_password: currentPassword } = await readForm(ProfileBody, form);
      return edit(request, viewer, { email, currentPassword });
    },

    /** Gives up a change of the address that waits for its mailbox. */
    async keepAddress(request: Request, viewer: Viewer): Promise<void> {
      const { email } = await profiles.find(viewer.session.userId);
      await edit(request, viewer, { email });
    },

    /** Sends the mail again that shows that an address is the person's. */
    async sendVerification(request: Request, { session }: Viewer): Promise<void> {
      const client = clientOf(request);
      await pressure.limitAddress("email-verification", client, { isProven: true });
      await verification.request(await profiles.find(session.userId), client);
    },

    /** Gathers what is kept about the person as one document. Throws `reauthentication_required` without a fresh proof. */
    async exportData({ session }: Viewer) {
      const first = presentExport(await exports.gather(session, undefined));
      const events = [...first.events];
      let { next } = first;
      for (let pages = 1; next !== null && pages < mostPages; pages += 1) {
        const more = presentExport(await exports.gather(session, next));
        events.push(...more.events);
        ({ next } = more);
      }
      return { exported_at: timestamp(clock.now()), ...first, events, next };
    },

    /** Deletes the account, with the field `current_password` where it has one. */
    async deleteAccount(
      request: Request,
      head: ResponseHead,
      { session }: Viewer,
      form: URLSearchParams,
    ): Promise<void> {
      const { current_password: password } = await readForm(DeleteAccountBody, form);
      cookies.forget(head, request, await deletion.deleteOwn(session, password, clientOf(request)));
    },
  };
}
