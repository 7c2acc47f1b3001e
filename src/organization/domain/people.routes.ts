import { answers, Ok, operation } from "../../http/index.ts";
import { ok, open, personOf, type PeopleRouteOptions } from "../routes/person.ts";
import { OkOwnOrganization, OrganizationId, presentOwn } from "../schemas.ts";
import { DomainBody, DomainId, DomainList, JoinBody, OkDomain, presentDomain, readJoin } from "./schemas.ts";

const proving =
  "The text of `record.value` has to stand as a TXT record at `record.name`, and to stay there: it is looked for again each day.";

/** What owners and admins do with the domains of their organization, and how people join by one. */
export const domainRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .post(
      "/organizations/:id/join",
      async ({ params: { id }, request, session }) => {
        await acts.joining.join(session, auth.clientOf(request), id);
        return { ...ok, organization: presentOwn(await acts.own(session, id)) };
      },
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(OkOwnOrganization, "organization_not_found", "member_exists", "limit_reached"),
        detail: operation("joinOrganization", {
          summary: "Join an organization that is open to people with an address below its domain",
          description: "`listOrganizations` names it as `joinable`.",
        }),
      },
    )
    .get(
      "/organizations/:id/domains",
      async ({ params: { id }, request, session }) => ({
        ...ok,
        domains: (await acts.domains.list(person(session, request), id)).map(presentDomain),
      }),
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(DomainList, "forbidden", "organization_not_found"),
        detail: operation("listDomains", { summary: "The domains of an organization, for owners and admins" }),
      },
    )
    .post(
      "/organizations/:id/domains",
      async ({ params: { id }, body, request, session }) => ({
        ...ok,
        domain: presentDomain(await acts.domains.claim(person(session, request), id, body.domain)),
      }),
      {
        requireAuth: true,
        params: OrganizationId,
        body: DomainBody,
        response: answers(
          OkDomain,
          "invalid_payload",
          "forbidden",
          "organization_not_found",
          "domain_taken",
          "limit_reached",
        ),
        detail: operation("addDomain", {
          summary: "Claim a domain, which counts once it is proven",
          description: proving,
        }),
      },
    );
};

/** What owners and admins do with one domain. */
export const oneDomainRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .post(
      "/organizations/:id/domains/:domain/verify",
      async ({ params: { id, domain }, request, session }) => ({
        ...ok,
        domain: presentDomain(await acts.domains.verify(person(session, request), id, domain)),
      }),
      {
        requireAuth: true,
        params: DomainId,
        response: answers(
          OkDomain,
          "forbidden",
          "organization_not_found",
          "domain_not_found",
          "domain_taken",
          "domain_record_missing",
          "rate_limited",
          "domain_lookup_failed",
        ),
        detail: operation("verifyDomain", { summary: "Look for the proof of a domain now", description: proving }),
      },
    )
    .patch(
      "/organizations/:id/domains/:domain",
      async ({ params: { id, domain }, body, request, session }) => ({
        ...ok,
        domain: presentDomain(await acts.domains.setJoin(person(session, request), id, domain, readJoin(body.join))),
      }),
      {
        requireAuth: true,
        params: DomainId,
        body: JoinBody,
        response: answers(OkDomain, "forbidden", "organization_not_found", "domain_not_found"),
        detail: operation("updateDomain", { summary: "Say who joins by a domain" }),
      },
    )
    .delete(
      "/organizations/:id/domains/:domain",
      async ({ params: { id, domain }, request, session }) => {
        await acts.domains.remove(person(session, request), id, domain);
        return ok;
      },
      {
        requireAuth: true,
        params: DomainId,
        response: answers(Ok, "forbidden", "organization_not_found", "domain_not_found"),
        detail: operation("removeDomain", {
          summary: "Give a domain up: others may prove it then, and nobody joins by it any more",
          description: "A proven one is for owners to give up where the organization has a provider of its own.",
        }),
      },
    );
};
