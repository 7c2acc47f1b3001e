import type { SessionEnd } from "../../../core/flaws.ts";
import type { Millis } from "../../../core/clock.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import type { GrantPurpose } from "../../grant/grant.columns.ts";

/** Statements that take identities of providers from an account; each returns `id` and `provider` of the removed identities. */
export interface LinkedIdentities {
  unlinkAll(userId: string): Statement;
  /** Removes all identities, while the address is not proven. */
  unlinkUnproven(userId: string): Statement;
  /** Removes identities that were linked before the address was proven: all of them, while it is not. */
  unlinkBeforeProof(userId: string): Statement;
  /** Removes identities that were linked later than `since`, except those with these ids and the one that the account was made with. */
  unlinkSince(userId: string, since: Millis, keep: readonly string[]): Statement;
}

export type Eviction =
  // Reasons that come from a session of the account.
  | "password_changed"
  | "signed_out_everywhere"
  | "first_factor_added"
  | "last_factor_removed"
  | "address_confirmed"
  // Reasons that come from people or services who look after the account.
  | "password_set"
  | "sessions_revoked"
  | "factors_reset"
  | "account_disabled"
  | "address_set"
  // Reasons that come from a link or code that a mailbox has received.
  | "signed_in_by_mail"
  | "address_proven"
  | "address_rejected"
  | "address_moved"
  | "address_change_undone"
  | "address_change_cancelled"
  | "factor_change_undone"
  | "password_reset"
  | "factors_taken_back"
  | "identity_taken_back"
  | "sign_in_rejected";

export interface Rule {
  /** The sessions that end, and the end that their rows name. Sign-ins that wait for a second factor end with them. */
  readonly sessions: { readonly of: "all" | "all but one" | "an unproven account"; readonly as: SessionEnd } | "kept";
  readonly identities: Exclude<keyof LinkedIdentities, "unlinkSince"> | "kept";
  readonly factors: "all" | "those of an unproven account" | "kept";
  /** Whether identities and second factors of the last days are removed as well, since a thief may have added them. */
  readonly added: "removed" | "identities are removed" | "kept";
  /**
   * Whether the links go by which the owner of the mailbox resets the password or proves the address. A thief in a stolen session must not
   * be able to void them.
   */
  readonly ownersLinks: "voided" | "kept";
  /**
   * Whether the tokens end that were made for scripts. They go on where their owner ends sessions from within one, as passkeys do: they are
   * listed on the account page, and each was told by mail.
   */
  readonly tokens: "ended" | "kept";
  /** Whether links that take something back are voided. They end only by use and time, unless an operator ends everything. */
  readonly takeBacks: "voided" | "kept";
}

const nothing = { identities: "kept", factors: "kept", added: "kept", takeBacks: "kept" } as const;
const inSession = { ...nothing, tokens: "kept", ownersLinks: "kept" } as const;
const byStaff = { ...nothing, tokens: "ended", ownersLinks: "voided" } as const;
const byMail = { ...nothing, tokens: "ended", ownersLinks: "voided", factors: "those of an unproven account" } as const;
const takingBack = { ...byMail, identities: "unlinkBeforeProof", added: "removed" } as const;
const all = (as: SessionEnd) => ({ of: "all", as }) as const;

// Recent second factors are left to the reset that is mailed with these evictions: it shows them, and takes them back.
const returning = {
  ...takingBack,
  sessions: all("address_change_undone"),
  added: "identities are removed",
} as const;

/** The effects of each eviction. Every one voids an address that waits for its confirmation, and every mailed link that takes nothing back. */
export const evictions: Readonly<Record<Eviction, Rule>> = {
  password_changed: { ...inSession, sessions: { of: "all but one", as: "password_changed" } },
  signed_out_everywhere: { ...inSession, sessions: all("logged_out") },
  first_factor_added: { ...inSession, sessions: "kept" },
  last_factor_removed: { ...inSession, sessions: "kept" },
  address_confirmed: { ...inSession, sessions: "kept", ownersLinks: "voided" },
  password_set: { ...byStaff, sessions: all("password_changed") },
  sessions_revoked: { ...byStaff, sessions: all("revoked") },
  factors_reset: { ...byStaff, sessions: all("factors_reset"), factors: "all" },
  account_disabled: { ...byStaff, sessions: all("account_disabled"), takeBacks: "voided" },
  address_set: { ...byStaff, tokens: "kept", sessions: "kept" },
  signed_in_by_mail: { ...inSession, sessions: "kept" },
  address_proven: {
    ...byMail,
    sessions: { of: "an unproven account", as: "address_not_proven" },
    identities: "unlinkUnproven",
  },
  address_rejected: { ...byMail, sessions: all("address_rejected"), identities: "unlinkBeforeProof" },
  address_moved: { ...byMail, sessions: all("address_changed"), identities: "unlinkAll" },
  address_change_undone: { ...returning, factors: "kept" },
  address_change_cancelled: { ...returning, factors: "kept" },
  factor_change_undone: { ...returning, factors: "all" },
  password_reset: { ...takingBack, sessions: all("password_reset") },
  factors_taken_back: { ...takingBack, sessions: all("factors_reset"), factors: "all" },
  identity_taken_back: { ...takingBack, sessions: all("identity_taken_back") },
  sign_in_rejected: { ...takingBack, sessions: all("sign_in_rejected") },
};

export const grantKinds: Readonly<Record<GrantPurpose, "lets in" | "takes back">> = {
  password_reset: "lets in",
  first_password: "lets in",
  email_verification: "lets in",
  email_login: "lets in",
  email_change_cancel: "takes back",
  email_change_undo: "takes back",
  email_change_factor_undo: "takes back",
  factor_undo: "takes back",
  identity_undo: "takes back",
  session_undo: "takes back",
};
