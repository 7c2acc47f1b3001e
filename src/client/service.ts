import { within } from "./transport/deadline.ts";
import { requestOf, withQuery } from "./transport/requests.ts";
import type { ServiceClient, ServiceClientOptions, UserSummary } from "./service.types.ts";
import { createSend, type Outgoing } from "./transport/transport.ts";
import type { CallOptions, Result } from "./result.types.ts";

export type * from "./export.model.ts";
export type * from "./inputs.ts";
export type * from "./model.ts";
export type * from "./codes.ts";
export type * from "./result.types.ts";
export type * from "./types.ts";
export type * from "./organization/domain.types.ts";
export type * from "./organization/types.ts";
export type * from "./service.types.ts";

const [users, organizations] = ["/api/v1/users", "/api/v1/organizations"];

/** Creates a client for a backend, which acts with the secret of a service and not in a user's session. */
export function createServiceClient({
  baseUrl,
  secret,
  timeoutMs = 20_000,
  fetch,
}: ServiceClientOptions): ServiceClient {
  const send = createSend({ fetch }, baseUrl.replace(/\/+$/, ""), "omit");
  const headers = { authorization: `Bearer ${secret}` };

  const call = <T>(request: Outgoing<T>, { timeoutMs: ownMs = timeoutMs, signal }: CallOptions = {}) =>
    within({ timeoutMs: ownMs, signal }, (deadline) =>
      send({ ...request, headers: { ...headers, ...request.headers } }, deadline),
    );
  const get = <T>(path: string, field: string, options?: CallOptions): Promise<Result<T>> =>
    call(requestOf<T>("GET", path, field), options);
  const post = <T>(path: string, field: string, body?: object, options?: CallOptions): Promise<Result<T>> =>
    call(requestOf<T>("POST", path, field, body), options);
  const of = (id: string, act = ""): string => `${users}/${encodeURIComponent(id)}${act}`;
  const change = (act: string) => (id: string, options?: CallOptions) =>
    post<{ changed: boolean }>(of(id, act), "changed", undefined, options);

  const to = (...path: string[]): string => [organizations, ...path.map(encodeURIComponent)].join("/");
  return {
    listAllOrganizations: (query, options) => get(withQuery(organizations, { ...query }), "organizations", options),
    createOrganizationFor: (input, options) => post(organizations, "organization", input, options),
    showOrganization: (id, options) => get(to(id), "organization", options),
    changeOrganization: (id, input, options) => call(requestOf("PATCH", to(id), "organization", input), options),
    removeOrganization: (id, options) => call(requestOf("DELETE", to(id), "ok"), options),
    listOrganizationMembers: (id, query, options) =>
      get(withQuery(to(id, "members"), { ...query }), "members", options),
    addMember: (id, input, options) => post(to(id, "members"), "member", input, options),
    setOrganizationRoles: (id, user, input, options) =>
      post(to(id, "members", user, "roles"), "member", input, options),
    removeOrganizationMember: (id, user, options) => post(to(id, "members", user, "remove"), "ok", undefined, options),
    listInvitationsTo: (id, query, options) =>
      get(withQuery(to(id, "invitations"), { ...query }), "invitations", options),
    inviteTo: (id, input, options) => post(to(id, "invitations"), "invitation", input, options),
    withdrawInvitationTo: (id, invitation, options) =>
      post(to(id, "invitations", invitation, "withdraw"), "invitation", undefined, options),
    listOrganizationDomains: (id, options) => get(to(id, "domains"), "domains", options),
    addOrganizationDomain: (id, input, options) => post(to(id, "domains"), "domain", input, options),
    verifyOrganizationDomain: (id, domain, options) =>
      post(to(id, "domains", domain, "verify"), "domain", undefined, options),
    updateOrganizationDomain: (id, domain, input, options) =>
      call(requestOf("PATCH", to(id, "domains", domain), "domain", input), options),
    removeOrganizationDomain: (id, domain, options) =>
      call(requestOf("DELETE", to(id, "domains", domain), "ok"), options),
    introspect: (input, options) => post("/api/v1/auth/introspect", "active", input, options),
    listUsers: (query, options) => get(withQuery(users, { ...query }), "users", options),
    getUser: (id, options) => get(of(id), "user", options),
    createUser: (input, options) => post(users, "user", input, options),
    updateUser: (id, input, { ifMatch, ...options } = {}) => {
      const request = requestOf<{ user: UserSummary; etag: string }>("PATCH", of(id), "user", input);
      return call({ ...request, ...(ifMatch !== undefined && { headers: { "if-match": ifMatch } }) }, options);
    },
    disableUser: change("/disable"),
    enableUser: change("/enable"),
    unlockUser: change("/unlock"),
    verifyUser: change("/verify"),
    resetUserFactors: change("/mfa-reset"),
    revokeUserSessions: (id, input, options) => post(of(id, "/revoke-sessions"), "sessions_ended", input, options),
    sendUserPasswordReset: (id, options) => post(of(id, "/send-password-reset"), "ok", undefined, options),
    deleteUser: (id, options) => post(of(id, "/delete"), "ok", undefined, options),
    inviteUser: (input, options) => post(of("invite"), "invitation", input, options),
    listInvitations: (query, options) => get(withQuery(of("invitations"), { ...query }), "invitations", options),
    withdrawInvitation: (id, options) =>
      post(`${of("invitations")}/${encodeURIComponent(id)}/withdraw`, "invitation", undefined, options),
  };
}
