import type { ClientName, Identity, Metadata, OwnUser, PersonalToken, Session, Timestamp } from "./model.ts";

/** Everything that the service keeps of the user. */
export interface AccountExport {
  exported_at: Timestamp;
  user: OwnUser & { external_id: string | null; terms_version: string | null; terms_accepted_at: Timestamp | null };
  sessions: ExportedSession[];
  /** What the user has let programs of others have. */
  consents: { client: ClientName; scope: string; resources: string[]; granted_at: Timestamp }[];
  /** The organizations that the user is in. */
  organizations: { id: string; slug: string; name: string; roles: string[]; joined_at: Timestamp }[];
  identities: ExportedIdentity[];
  /** Second factors, without any secret of theirs. */
  factors: { method: string; name: string | null; added_at: Timestamp; last_used_at: Timestamp | null }[];
  recovery_codes_left: number;
  personal_tokens: (PersonalToken & { revoked_at: Timestamp | null })[];
  mailed_links: ExportedLink[];
  invitations: ExportedInvitation[];
  /** The fate of the mails to the account in the last 30 days, newest first. */
  mails: ExportedMail[];
  /** Mails that wait to be sent, or could not be sent. */
  jobs: { name: string; state: string; attempts: number; created_at: Timestamp }[];
  /** Events of the account in the audit log, newest first, 2,000 at most. */
  events: ExportedEvent[];
  /** The `events_before` of the call for older events; null where there are none. */
  next: string | null;
}

export interface ExportedSession extends Omit<Session, "current" | "device_label" | "factor"> {
  app: string;
  /** How the session began: `password`, `provider`, … */
  came_by: string | null;
  factor: string | null;
  proved_at: Timestamp;
  revoked_at: Timestamp | null;
  /** Why the session ended: `logged_out`, `password_reset`, … */
  revoked_reason: string | null;
  /** What the program was granted that holds the session. */
  delegation: Metadata | null;
  /** The organization that the session acts for. */
  organization_id: string | null;
}

export interface ExportedMail {
  kind: string;
  app: string;
  state: "waiting" | "sent" | "refused" | "gave_up" | "withheld";
  /** Why the mail was withheld. */
  reason: string | null;
  /** The last answer of the mail relay. */
  answer: string | null;
  attempts: number;
  /** How many similar mails this entry stands for. */
  count: number;
  requested_at: Timestamp;
  changed_at: Timestamp;
}

export interface ExportedIdentity extends Omit<Identity, "id" | "label"> {
  issuer: string;
  subject: string;
}

export interface ExportedLink {
  purpose: string;
  email: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  redeemed_at: Timestamp | null;
  voided_at: Timestamp | null;
}

export interface ExportedInvitation {
  email: string;
  roles: string[];
  display_name: string | null;
  locale: string | null;
  /** The organization that it is an invitation to. */
  organization_id: string | null;
  organization_roles: string[];
  created_at: Timestamp;
  invited_at: Timestamp;
  expires_at: Timestamp;
  withdrawn_at: Timestamp | null;
  accepted_at: Timestamp | null;
}

export interface ExportedEvent {
  id: string;
  at: Timestamp;
  app: string;
  action: string;
  outcome: string;
  reason: string | null;
  actor: string;
  organization_id: string | null;
  session_id: string | null;
  ip_address: string | null;
  user_agent: string | null;
  count: number;
  /** When the effect of the event ends by itself, such as a lock; null where it has no end. */
  ends_at: Timestamp | null;
}
