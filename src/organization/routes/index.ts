import { Elysia } from "elysia";
import { domainRoutes, oneDomainRoutes } from "../domain/people.routes.ts";
import { anyDomainRoutes, oneAnyDomainRoutes } from "../domain/service.routes.ts";
import { loginProviderRoutes, providerRoutes } from "../provider/routes.ts";
import type { PeopleRouteOptions } from "./person.ts";
import { invitationRoutes } from "./people.invitations.ts";
import { memberRoutes } from "./people.members.ts";
import { organizationRoutes, ownOrganizationRoutes } from "./people.organizations.ts";
import { anyInvitationRoutes } from "./service.invitations.ts";
import { allMemberRoutes, anyMemberRoutes } from "./service.members.ts";
import { allOrganizationRoutes, anyOrganizationRoutes } from "./service.organizations.ts";
import type { ServiceRouteOptions } from "./service.ts";

/** The routes of organizations for people, by their session. */
export const peopleRoutesOf = (options: PeopleRouteOptions) =>
  new Elysia()
    .use(organizationRoutes(options))
    .use(ownOrganizationRoutes(options))
    .use(memberRoutes(options))
    .use(invitationRoutes(options))
    .use(domainRoutes(options))
    .use(oneDomainRoutes(options))
    .use(providerRoutes(options))
    .use(loginProviderRoutes(options));

/** The routes of organizations for backends, by their secret. */
export const serviceRoutesOf = (options: ServiceRouteOptions) =>
  new Elysia()
    .use(allOrganizationRoutes(options))
    .use(anyOrganizationRoutes(options))
    .use(allMemberRoutes(options))
    .use(anyMemberRoutes(options))
    .use(anyInvitationRoutes(options))
    .use(anyDomainRoutes(options))
    .use(oneAnyDomainRoutes(options));
