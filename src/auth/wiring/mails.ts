import { secretValues } from "../../config/index.ts";
import { createGrantRepository } from "../grant/grant.repository.ts";
import { createGrantService, takeBackTtlMs, undoTtlMs } from "../grant/grant.service.ts";
import { createMailedCodes } from "../grant/mailed.codes.ts";
import { createInvitationRepository } from "../invitation/invitation.repository.ts";
import { createInvitationTokens } from "../invitation/invitation.tokens.ts";
import { createMailFates } from "../mail/fates.ts";
import { createMailRepository } from "../mail/mail.repository.ts";
import { createMailedTokens } from "../mailed.tokens.ts";
import type { AuthOptions, Base } from "./base.ts";

export interface MailRooms {
  readonly options: AuthOptions;
  readonly base: Base;
}

export type Mails = ReturnType<typeof wireMails>;

/** What is proven by a mail, who is invited by one, and what became of each. */
export function wireMails({ options, base: { users } }: MailRooms) {
  const { config, database, mailer, jobMentions, watch, clock, log } = options;
  const { app, auth } = config;
  const tokens = createMailedTokens(auth.jwtSecret);
  const grantRows = createGrantRepository(database);
  const grants = createGrantService({
    database,
    users,
    grants: grantRows,
    tokens,
    codes: createMailedCodes({ secret: auth.jwtSecret, previousSecrets: auth.jwtPreviousSecrets }),
    ttlMs: {
      password_reset: auth.passwordResetTtlMs,
      first_password: auth.firstPasswordTtlMs,
      email_verification: auth.emailVerificationTtlMs,
      email_change_undo: undoTtlMs,
      email_change_factor_undo: undoTtlMs,
      email_change_cancel: undoTtlMs,
      factor_undo: takeBackTtlMs,
      identity_undo: takeBackTtlMs,
      session_undo: takeBackTtlMs,
      email_login: auth.emailLoginTtlMs,
    },
    clock,
  });
  const invitationRows = createInvitationRepository(database);
  const invitationTokens = createInvitationTokens({ database, invitations: invitationRows, tokens, clock });
  const fates = createMailFates({
    app: app.name,
    database,
    rows: createMailRepository(database),
    mailer,
    jobMentions,
    secrets: secretValues(config),
    concerns: watch?.concerns,
    clock,
    log,
  });
  return { grantRows, grants, invitationRows, invitationTokens, fates };
}
