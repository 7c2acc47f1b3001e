import { Elysia } from "elysia";
import {
  presentMetadata,
  type Accounts,
  type AccountTags,
  type Invitations,
  type PatchAccount,
  type People,
} from "../auth/index.ts";
import type { AuditEntry } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { createServiceGuard } from "./guard.ts";
import { invitationRoutes } from "./invitation.routes.ts";
import { introspectPath, introspectRoutes, type Introspect } from "./introspect.routes.ts";
import { createServiceRepository } from "./service.repository.ts";
import { createServiceAccounts, type Client } from "./services.ts";
import { createUserBody, type RegistrationFaults } from "./users.body.ts";
import { personOf, usersPath } from "./users.found.ts";
import { userRoutes } from "./users.routes.ts";
import { createUses } from "./uses.ts";

import { presentSummary } from "./users.view.ts";

export { serviceSecurityScheme } from "./guard.ts";
export { presentInvitation } from "./invitation.routes.ts";
export { presentIdentity, presentPerson, presentSession, presentSummary } from "./users.view.ts";

interface ServiceOptions {
  readonly database: Database;
  readonly audit: { row(entry: AuditEntry): Statement };
  readonly introspect: Introspect;
  readonly accounts: Accounts;
  readonly people: People;
  readonly patchAccount: PatchAccount;
  readonly tagOf: AccountTags;
  readonly registrationFaults: RegistrationFaults;
  readonly invitations: Invitations;
  readonly clientOf: (request: Request) => Client;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes the services: backends with a secret of their own, their scopes, and the guard of their routes. */
export function createBackendServices(options: ServiceOptions) {
  const { database, audit, introspect, people, patchAccount, tagOf, registrationFaults, invitations } = options;
  const { clientOf, clock, log } = options;
  const services = createServiceRepository(database);
  const uses = createUses({ database, services, audit, clock, log });
  const accounts = createServiceAccounts({ database, services, audit, uses, clock });
  const guard = createServiceGuard(accounts, clientOf);
  const module = {
    routes: new Elysia()
      .use(introspectRoutes(guard, introspect))
      .use(invitationRoutes(guard, invitations))
      .use(
        userRoutes({
          guard,
          accounts: options.accounts,
          people,
          patchAccount,
          tagOf,
          createBody: createUserBody(registrationFaults),
        }),
      ),
    takesFields: [introspectPath],
    roomy: [usersPath, `${usersPath}/:id`],
    close: () => uses.close(),
  };
  return {
    accounts,
    module,
    /** Returns an account as services see it, without what is private; null where there is none. */
    async shownAccount(id: string): Promise<object | null> {
      const person = await personOf(people, id);
      return person === undefined
        ? null
        : { ...presentSummary(person), ...presentMetadata(await people.openMetadataOf(id)) };
    },
  };
}
