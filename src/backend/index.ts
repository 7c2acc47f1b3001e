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
import { createServiceGuard } from "./guard.ts";
import { invitationRoutes } from "./invitation.routes.ts";
import { introspectPath, introspectRoutes, type Introspect } from "./introspect.routes.ts";
import { createServiceRepository } from "./service.repository.ts";
import { createServiceAccounts, type Client, type Uses } from "./services.ts";
import { createUserBody, type RegistrationFaults } from "./users.body.ts";
import { personOf, usersPath } from "./users.found.ts";
import { userRoutes } from "./users.routes.ts";
import { presentSummary } from "./users.view.ts";

export { serviceSecurityScheme, type Caller as ServiceCaller, type ServiceGuard } from "./guard.ts";
export { presentInvitation } from "./invitation.routes.ts";
export { presentIdentity, presentPerson, presentSession, presentSummary } from "./users.view.ts";

interface ServiceOptions {
  readonly database: Database;
  readonly audit: { row(entry: AuditEntry): Statement; readonly uses: Uses };
  readonly introspect: Introspect;
  readonly accounts: Accounts;
  readonly people: People;
  readonly patchAccount: PatchAccount;
  readonly tagOf: AccountTags;
  readonly registrationFaults: RegistrationFaults;
  readonly invitations: Invitations;
  readonly clientOf: (request: Request) => Client;
  readonly clock: Clock;
}

/** Makes the services: backends with a secret of their own, their scopes, and the guard of their routes. */
export function createBackendServices(options: ServiceOptions) {
  const { database, audit, introspect, people, patchAccount, tagOf, registrationFaults, invitations } = options;
  const { clientOf, clock } = options;
  const services = createServiceRepository(database);
  const accounts = createServiceAccounts({ database, services, audit, uses: audit.uses, clock });
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
  };
  return {
    accounts,
    guard,
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
