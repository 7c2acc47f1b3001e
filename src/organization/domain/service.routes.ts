import { errorResponses, Ok, operation } from "../../http/index.ts";
import { ok, officeOf, open, path, reads, writes, type ServiceRouteOptions } from "../routes/service.ts";
import { OrganizationId } from "../schemas.ts";
import { DomainBody, DomainId, DomainList, JoinBody, OkDomain, presentDomain, readJoin } from "./schemas.ts";

/** What backends do with the domains of an organization. */
export const anyDomainRoutes = ({ acts, guard }: ServiceRouteOptions) =>
  open()
    .use(guard)
    .get(
      `${path}/:id/domains`,
      async ({ params: { id }, caller }) => ({
        ...ok,
        domains: (await acts.domains.list(officeOf(caller), id)).map(presentDomain),
      }),
      {
        requireService: reads,
        params: OrganizationId,
        response: { 200: DomainList, ...errorResponses("forbidden", "organization_not_found", "rate_limited") },
        detail: operation("listOrganizationDomains", { summary: "The domains of an organization" }),
      },
    )
    .post(
      `${path}/:id/domains`,
      async ({ params: { id }, body, caller }) => ({
        ...ok,
        domain: presentDomain(await acts.domains.claim(officeOf(caller), id, body.domain)),
      }),
      {
        requireService: writes,
        params: OrganizationId,
        body: DomainBody,
        response: {
          200: OkDomain,
          ...errorResponses(
            "invalid_payload",
            "forbidden",
            "organization_not_found",
            "domain_taken",
            "limit_reached",
            "rate_limited",
          ),
        },
        detail: operation("addOrganizationDomain", {
          summary: "Claim a domain for an organization, which counts once it is proven",
        }),
      },
    );

/** What backends do with one domain. */
export const oneAnyDomainRoutes = ({ acts, guard }: ServiceRouteOptions) =>
  open()
    .use(guard)
    .post(
      `${path}/:id/domains/:domain/verify`,
      async ({ params: { id, domain }, caller }) => ({
        ...ok,
        domain: presentDomain(await acts.domains.verify(officeOf(caller), id, domain)),
      }),
      {
        requireService: writes,
        params: DomainId,
        response: {
          200: OkDomain,
          ...errorResponses(
            "forbidden",
            "organization_not_found",
            "domain_not_found",
            "domain_taken",
            "domain_record_missing",
            "rate_limited",
            "domain_lookup_failed",
          ),
        },
        detail: operation("verifyOrganizationDomain", { summary: "Look for the proof of a domain now" }),
      },
    )
    .patch(
      `${path}/:id/domains/:domain`,
      async ({ params: { id, domain }, body, caller }) => ({
        ...ok,
        domain: presentDomain(await acts.domains.setJoin(officeOf(caller), id, domain, readJoin(body.join))),
      }),
      {
        requireService: writes,
        params: DomainId,
        body: JoinBody,
        response: {
          200: OkDomain,
          ...errorResponses("forbidden", "organization_not_found", "domain_not_found", "rate_limited"),
        },
        detail: operation("updateOrganizationDomain", { summary: "Say who joins by a domain" }),
      },
    )
    .delete(
      `${path}/:id/domains/:domain`,
      async ({ params: { id, domain }, caller }) => {
        await acts.domains.remove(officeOf(caller), id, domain);
        return ok;
      },
      {
        requireService: writes,
        params: DomainId,
        response: {
          200: Ok,
          ...errorResponses("forbidden", "organization_not_found", "domain_not_found", "rate_limited"),
        },
        detail: operation("removeOrganizationDomain", { summary: "Give a domain up: others may prove it then" }),
      },
    );
