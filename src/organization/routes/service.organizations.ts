import { errorResponses, Ok, operation } from "../../http/index.ts";
import {
  CreateForBody,
  OkOrganization,
  OrganizationId,
  OrganizationPage,
  PageQuery,
  presentOrganization,
  StrictPatchBody,
} from "../schemas.ts";
import type { Acts } from "../acts.ts";
import { ok, officeOf, open, path, reads, writes, type ServiceRouteOptions } from "./service.ts";

const shownBy = (acts: Acts) => async (id: string) => ({
  ...ok,
  organization: presentOrganization(await acts.one(id)),
});

/** What backends do with organizations, by their secret. */
export const allOrganizationRoutes = ({ acts, guard }: ServiceRouteOptions) => {
  const shown = shownBy(acts);
  return open()
    .use(guard)
    .get(
      path,
      async ({ query }) => {
        const { page, next } = await acts.all(query);
        return { ...ok, organizations: page.map(presentOrganization), next };
      },
      {
        requireService: { scope: reads, query: PageQuery },
        query: PageQuery,
        response: { 200: OrganizationPage, ...errorResponses("invalid_payload", "forbidden", "rate_limited") },
        detail: operation("listAllOrganizations", { summary: "All organizations, the oldest first" }),
      },
    )
    .post(
      path,
      async ({ body, caller }) => {
        const { owner: userId, ...asked } = body;
        return shown(await acts.organizations.create({ ...asked, userId }, officeOf(caller)));
      },
      {
        requireService: writes,
        body: CreateForBody,
        response: {
          200: OkOrganization,
          ...errorResponses("forbidden", "not_found", "slug_taken", "limit_reached", "rate_limited"),
        },
        detail: operation("createOrganizationFor", {
          summary: "Make an organization for an account, which is its owner",
          description: "404 `not_found` where no active account has the id.",
        }),
      },
    );
};

/** What backends do with one organization. */
export const anyOrganizationRoutes = ({ acts, guard }: ServiceRouteOptions) => {
  const shown = shownBy(acts);
  return open()
    .use(guard)
    .get(`${path}/:id`, ({ params: { id } }) => shown(id), {
      requireService: reads,
      params: OrganizationId,
      response: { 200: OkOrganization, ...errorResponses("forbidden", "organization_not_found", "rate_limited") },
      detail: operation("showOrganization", { summary: "An organization" }),
    })
    .patch(
      `${path}/:id`,
      async ({ params: { id }, body, caller }) => {
        await acts.organizations.update(officeOf(caller), id, body);
        return shown(id);
      },
      {
        requireService: writes,
        params: OrganizationId,
        body: StrictPatchBody,
        response: {
          200: OkOrganization,
          ...errorResponses("forbidden", "organization_not_found", "slug_taken", "rate_limited"),
        },
        detail: operation("changeOrganization", { summary: "Change name, slug or metadata" }),
      },
    )
    .delete(
      `${path}/:id`,
      async ({ params: { id }, caller }) => {
        await acts.organizations.remove(officeOf(caller), id);
        return ok;
      },
      {
        requireService: writes,
        params: OrganizationId,
        response: { 200: Ok, ...errorResponses("forbidden", "organization_not_found", "rate_limited") },
        detail: operation("removeOrganization", { summary: "Delete an organization for good" }),
      },
    );
};
