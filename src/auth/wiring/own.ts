import { keepsMails } from "../../config/index.ts";
import { createAddedList } from "../flow/eviction/added.ts";
import { createDeletion } from "../flow/account/deletion.service.ts";
import { createExport, createExportReads } from "../flow/account/export.service.ts";
import { createFactorService } from "../flow/factor/factor.service.ts";
import { createPasskeyService } from "../flow/factor/passkey.service.ts";
import { createPasswordless } from "../flow/account/passwordless.ts";
import { createPasswordService } from "../flow/password.service.ts";
import { createMailedLinks } from "../flow/mailed.links.ts";
import { createProfileService } from "../flow/account/profile.service.ts";
import { createReauthentication } from "../flow/account/reauthentication.service.ts";
import { createTokenService } from "../flow/account/token.service.ts";
import { createVerificationService } from "../flow/verification.service.ts";
import type { FlowRooms } from "./ways.in.ts";

export type OwnAccount = ReturnType<typeof wireOwnAccount>;

/** What people do to their own accounts: prove who they are once more, and change profile, password and address. */
export function wireOwnAccount({
  options: { config, identities, clock, log },
  base: { users, metadata, journal, rules, demand, arrived },
  mails: { grants },
  pressure: { hasher, policy, pressure, locks },
  factors: { challenges, storedFactors },
  sessions: { sessions, evictions },
}: FlowRooms) {
  const { auth } = config;
  const mailToo = keepsMails(config);
  const reauthentication = createReauthentication({ journal, users, sessions, challenges, hasher, pressure });
  return {
    reauthentication,
    profiles: createProfileService({
      config: auth,
      rules,
      journal,
      users,
      metadata,
      sessions,
      grants,
      pressure,
      reauthentication,
      demand,
      clock,
    }),
    passwords: createPasswordService({
      returnToken: auth.passwordResetReturnToken,
      mailToo,
      journal,
      users,
      sessions,
      grants,
      evictions,
      added: createAddedList({ identities, storedFactors, clock }),
      hasher,
      policy,
      pressure,
      locks,
      reauthentication,
      demand,
      clock,
      log,
    }),
    links: createMailedLinks({ grants, users }),
    verification: createVerificationService({
      returnToken: auth.emailVerificationReturnToken,
      mailToo,
      journal,
      users,
      grants,
      evictions,
      rules,
      demand,
      arrived,
      clock,
      log,
    }),
  };
}

interface OwnDataRooms extends FlowRooms {
  readonly ownAccount: OwnAccount;
}

export type OwnData = ReturnType<typeof wireOwnData>;

/** How people take all that is kept about them along, and go. */
export function wireOwnData({
  options: { audit, identities, jobMentions, memberships, clock },
  base: { users, metadata, personalTokens, journal },
  mails: { grantRows, invitationRows: invitations, fates: mails },
  pressure: { pressure },
  factors: { storedFactors },
  sessions: { sessionRows, sessions, delegations },
  ownAccount: { reauthentication },
}: OwnDataRooms) {
  const exportReads = createExportReads({
    users,
    metadata,
    personalTokens,
    sessionRows,
    delegations,
    grantRows,
    identities,
    storedFactors,
    invitations,
    mails,
    audit,
    memberships,
    jobMentions,
  });
  return {
    tokens: createTokenService({ personalTokens, journal, users, sessions, pressure, clock }),
    exportReads,
    exports: createExport({ reads: exportReads, users, sessions, pressure }),
    deletion: createDeletion({
      journal,
      users,
      sessions,
      pressure,
      invitations,
      mails,
      memberships,
      jobMentions,
      reauthentication,
      clock,
    }),
  };
}

export type OwnFactors = ReturnType<typeof wireOwnFactors>;

/** How people set up their second factors, and remove them. */
export const wireOwnFactors = ({
  options: { config, identities, clock },
  base: { users, journal },
  mails: { grants },
  pressure: { pressure },
  factors: { totp, recovery, passkeyParts, storedFactors },
  sessions: { sessions, evictions },
}: FlowRooms) => ({
  factors: createFactorService({
    product: config.app.displayName,
    journal,
    users,
    sessions,
    totp,
    recovery,
    storedFactors,
    evictions,
    grants,
    pressure,
    clock,
  }),
  passwordless: createPasswordless({
    config: config.auth,
    journal,
    users,
    sessions,
    passkeyParts,
    evictions,
    clock,
  }),
  passkeys: createPasskeyService({
    passkeyParts,
    storedFactors,
    evictions,
    identitiesOf: identities.ofUsers,
    journal,
    users,
    sessions,
    pressure,
    clock,
  }),
});
