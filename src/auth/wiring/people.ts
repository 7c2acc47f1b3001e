import { createInvitations } from "../flow/invitation/invitation.service.ts";
import { createOrganizationInvitations } from "../flow/invitation/organization.invitations.ts";
import { createAccountTags } from "../people/account.tag.ts";
import { createAccounts } from "../people/accounts.ts";
import { createPatches } from "../people/patch.ts";
import { createPeople } from "../people/people.ts";
import { createPeopleRepository } from "../people/people.repository.ts";
import { createAccountFile } from "../routes/account/export.file.ts";
import { createTransfer } from "../transfer/transfer.ts";
import type { OwnAccount, OwnData } from "./own.ts";
import type { FlowRooms, WaysIn } from "./ways.in.ts";

interface PeopleRooms extends FlowRooms {
  readonly waysIn: WaysIn;
  readonly ownAccount: OwnAccount;
  readonly ownData: OwnData;
}

/** What operators, staff and services do to accounts, and what they read. */
export function wirePeople({
  options: { config: settings, database, audit, identities, memberships, clock },
  base: { users, metadata, journal },
  mails: { grants, invitationRows, fates },
  pressure: { pressure, locks, refusals },
  factors: { storedFactors, challenges, totp },
  sessions: { sessionRows, evictions, liveness },
  waysIn: { registration },
  ownAccount: { passwords },
  ownData: { deletion, exportReads },
}: PeopleRooms) {
  const config = settings.auth;
  const people = createPeopleRepository(database);
  const inviting = { journal, users, invitations: invitationRows, pressure, clock };
  const common = { users, sessionRows, locks, audit, clock };
  const tagOf = createAccountTags(config.jwtSecret);
  return {
    tagOf,
    patchAccount: createPatches({ users, metadata, grants, journal, evictions, tagOf, clock }),
    invitations: createInvitations({ ...inviting, mails: fates }),
    organizationInvitations: createOrganizationInvitations({
      ...inviting,
      perDay: settings.organizations.invitationsPerDay,
    }),
    accounts: createAccounts({
      ...common,
      evictions,
      registration,
      passwords,
      deletion,
      pressure,
      refusals,
      journal,
    }),
    people: createPeople({
      ...common,
      config,
      metadata,
      people,
      liveness,
      storedFactors,
      fates,
      identities,
      memberships,
      challenges,
      totp,
    }),
    /** Everything that is kept of one account, as a file. */
    accountFile: createAccountFile({ reads: exportReads, clock }),
    transfer: createTransfer({ database, journal, users, metadata, identities, clock }),
    /** What the people with these ids are called. */
    namesOf: people.namesOf,
    /** What no account may be made with. */
    registrationFaults: registration.faults,
    /** What became of the mails to an account. */
    mails: { ofUser: fates.ofUser },
  };
}
