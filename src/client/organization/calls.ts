import type { OrganizationClient } from "./types.ts";
import { prefix, requestOf, withQuery } from "../transport/requests.ts";
import type { Sending } from "../transport/sending.ts";

const all = `${prefix}/organizations`;
const of = (id: string, ...path: string[]): string => [all, ...[id, ...path].map(encodeURIComponent)].join("/");

/** Organizations, their members and their invitations. */
export const organizationCalls = ({ guarded, open }: Sending): OrganizationClient => ({
  listOrganizations: (query, call) => guarded(requestOf("GET", withQuery(all, { ...query }), "organizations"), call),
  createOrganization: (input, call) => guarded(requestOf("POST", all, "organization", input), call),
  getOrganization: (id, call) => guarded(requestOf("GET", of(id), "organization"), call),
  updateOrganization: (id, input, call) => guarded(requestOf("PATCH", of(id), "organization", input), call),
  deleteOrganization: (id, call) => guarded(requestOf("DELETE", of(id), "ok"), call),
  switchOrganization: (input, call) => guarded(requestOf("POST", `${all}/switch`, "organization", input), call),
  leaveOrganization: (id, call) => guarded(requestOf("POST", of(id, "leave"), "ok"), call),
  listMembers: (id, query, call) =>
    guarded(requestOf("GET", withQuery(of(id, "members"), { ...query }), "members"), call),
  setMemberRoles: (id, user, input, call) =>
    guarded(requestOf("POST", of(id, "members", user, "roles"), "member", input), call),
  removeMember: (id, user, call) => guarded(requestOf("POST", of(id, "members", user, "remove"), "ok"), call),
  listOrganizationInvitations: (id, query, call) =>
    guarded(requestOf("GET", withQuery(of(id, "invitations"), { ...query }), "invitations"), call),
  inviteMember: (id, input, call) => guarded(requestOf("POST", of(id, "invitations"), "invitation", input), call),
  withdrawOrganizationInvitation: (id, invitation, call) =>
    guarded(requestOf("POST", of(id, "invitations", invitation, "withdraw"), "invitation"), call),
  joinOrganization: (id, call) => guarded(requestOf("POST", of(id, "join"), "organization"), call),
  listDomains: (id, call) => guarded(requestOf("GET", of(id, "domains"), "domains"), call),
  addDomain: (id, input, call) => guarded(requestOf("POST", of(id, "domains"), "domain", input), call),
  verifyDomain: (id, domain, call) => guarded(requestOf("POST", of(id, "domains", domain, "verify"), "domain"), call),
  updateDomain: (id, domain, input, call) =>
    guarded(requestOf("PATCH", of(id, "domains", domain), "domain", input), call),
  getProvider: (id, call) => guarded(requestOf("GET", of(id, "provider"), "provider"), call),
  setProvider: (id, input, call) => guarded(requestOf("PUT", of(id, "provider"), "provider", input), call),
  removeProvider: (id, call) => guarded(requestOf("DELETE", of(id, "provider"), "ok"), call),
  signMembersOut: (id, call) => guarded(requestOf("POST", of(id, "provider", "sign-out-members"), "ok"), call),
  findLoginProvider: (input, call) => open(requestOf("POST", `${prefix}/login/provider`, "provider", input), call),
  removeDomain: (id, domain, call) => guarded(requestOf("DELETE", of(id, "domains", domain), "ok"), call),
});
