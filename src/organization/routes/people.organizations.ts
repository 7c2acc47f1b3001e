import { answers, Ok, operation } from "../../http/index.ts";
import {
  CreateBody,
  OkActive,
  OkOwnOrganization,
  OrganizationId,
  OwnOrganizationPage,
  PageQuery,
  PatchBody,
  presentJoinable,
  presentOwn,
  SwitchBody,
} from "../schemas.ts";
import { ok, open, personOf, type PeopleRouteOptions } from "./person.ts";

/** What people do with organizations as a whole. */
export const organizationRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .get(
      "/organizations",
      async ({ query, session }) => {
        const { page, next } = await acts.ofPerson(session, query);
        const offered = query.cursor === undefined ? await acts.joining.offered(session) : undefined;
        const joinable = offered === undefined ? [] : [presentJoinable(offered)];
        return { ...ok, organizations: page.map(presentOwn), joinable, next };
      },
      {
        requireAuth: true,
        query: PageQuery,
        response: answers(OwnOrganizationPage, "invalid_payload"),
        detail: operation("listOrganizations", {
          summary: "The organizations that you are in, and what you are there",
        }),
      },
    )
    .post(
      "/organizations",
      async ({ body, request, session }) => {
        const id = await acts.organizations.create({ ...body, userId: session.userId }, person(session, request));
        return { ...ok, organization: presentOwn(await acts.own(session, id)) };
      },
      {
        requireAuth: true,
        body: CreateBody,
        response: answers(OkOwnOrganization, "forbidden", "slug_taken", "limit_reached", "rate_limited"),
        detail: operation("createOrganization", {
          summary: "Make an organization, of which you are the owner",
          description: "403 `forbidden` where ORGANIZATIONS_CREATION leaves that to staff.",
        }),
      },
    )
    .post(
      "/organizations/switch",
      async ({ body, session }) => {
        const found = await acts.switchTo(session, body.id ?? null);
        return { ...ok, organization: found && presentOwn(found) };
      },
      {
        requireAuth: true,
        body: SwitchBody,
        response: answers(OkActive, "organization_not_found"),
        detail: operation("switchOrganization", {
          summary: "Have this session act for one of your organizations, or with `null` for none",
          description: "`verify` says so at once, and tokens from the next one on.",
        }),
      },
    );
};

/** What people do with one organization. */
export const ownOrganizationRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .get(
      "/organizations/:id",
      async ({ params: { id }, session }) => ({ ...ok, organization: presentOwn(await acts.own(session, id)) }),
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(OkOwnOrganization, "organization_not_found"),
        detail: operation("getOrganization", { summary: "An organization that you are in" }),
      },
    )
    .patch(
      "/organizations/:id",
      async ({ params: { id }, body, request, session }) => {
        await acts.organizations.update(person(session, request), id, body);
        return { ...ok, organization: presentOwn(await acts.own(session, id)) };
      },
      {
        requireAuth: true,
        params: OrganizationId,
        body: PatchBody,
        response: answers(OkOwnOrganization, "forbidden", "organization_not_found", "slug_taken"),
        detail: operation("updateOrganization", {
          summary: "Change name or metadata, as an owner or admin; the slug, as an owner",
        }),
      },
    )
    .delete(
      "/organizations/:id",
      async ({ params: { id }, request, session }) => {
        await acts.organizations.remove(person(session, request), id);
        return ok;
      },
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(Ok, "forbidden", "organization_not_found"),
        detail: operation("deleteOrganization", { summary: "Delete an organization for good, as an owner" }),
      },
    );
};
