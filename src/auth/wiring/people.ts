import { createInvitations } from "../flow/invitation/invitation.service.ts";
import { createOrganizationInvitations } from "../flow/invitation/organization.invitations.ts";
import { createAccountTags } from "../people/account.tag.ts";
import { createAccounts } from "../people/accounts.ts";
import { createPatches } from "../people/patch.ts";
import { createPeople } from "../people/people.ts";
import { createPeopleRepository } from "../people/people.repository.ts";
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
  options: { config: settings, database, audit, identities, clock },
  base: { users, metadata, journal },
  mails: { grants, invitationRows, fates },
  pressure: { pressure, locks, refusals },
  factors: { storedFactors },
  sessions: { sessionRows, evictions, liveness },
  waysIn: { registration },
  ownAccount: { passwords },
  ownData: { deletion },
}: PeopleRooms) {
  const config = settings.auth;
  const people = createPeopleRepository(database);
  const inviting = { journal, users, invitations: invitationRows, pressure, clock };
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
      users,
      sessionRows,
      evictions,
      registration,
      passwords,
      deletion,
      pressure,
      locks,
      refusals,
      audit,
      journal,
      clock,
    }),
    people: createPeople({
      config,
      users,
      metadata,
      people,
      sessionRows,
      liveness,
      locks,
      storedFactors,
      fates,
      audit,
      identities,
      clock,
    }),
    transfer: createTransfer({ database, journal, users, metadata, identities, clock }),
    /** What the people with these ids are called. */
    namesOf: people.namesOf,
    /** What no account may be made with. */
    registrationFaults: registration.faults,
    /** What became of the mails to an account. */
    mails: { ofUser: fates.ofUser },
  };
}
