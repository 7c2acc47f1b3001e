import {
  nothing,
  withActivity,
  withChange,
  withCount,
  withDetails,
  withInvitations,
  withSentInvitation,
  withSummary,
  withUsers,
} from "./answers.ts";
import { createDeadline } from "./transport/deadline.ts";
import { withQuery } from "./transport/paths.ts";
import type { ServiceClient, ServiceClientOptions } from "./service.types.ts";
import { createSend, type Outgoing } from "./transport/transport.ts";
import type { CallOptions, Result } from "./types.ts";

export type * from "./model.ts";
export type * from "./codes.ts";
export type * from "./types.ts";
export type * from "./service.types.ts";

const users = "/api/v1/users";

/** Creates a client for a backend, which acts with the secret of a service and not in a user's session. */
export function createServiceClient({
  baseUrl,
  secret,
  timeoutMs = 20_000,
  fetch,
}: ServiceClientOptions): ServiceClient {
  const send = createSend({ fetch }, baseUrl.replace(/\/+$/, ""), "omit");
  const headers = { authorization: `Bearer ${secret}` };

  async function call<T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> {
    const deadline = createDeadline({ ...options, timeoutMs: options.timeoutMs ?? timeoutMs });
    try {
      return await send({ ...request, headers }, deadline);
    } finally {
      deadline.end();
    }
  }

  const get = <T>(path: string, expects: Outgoing<T>["expects"], options?: CallOptions) =>
    call({ method: "GET", path, expects }, options);
  const post = <T>(path: string, expects: Outgoing<T>["expects"], body?: object, options?: CallOptions) =>
    call({ method: "POST", path, expects, body }, options);
  const of = (id: string, act = ""): string => `${users}/${encodeURIComponent(id)}${act}`;

  return {
    introspect: (input, options) => post("/api/v1/auth/introspect", withActivity, input, options),
    listUsers: (query, options) => get(withQuery(users, { ...query }), withUsers, options),
    getUser: (id, options) => get(of(id), withDetails, options),
    createUser: (input, options) => post(users, withSummary, input, options),
    disableUser: (id, options) => post(of(id, "/disable"), withChange, undefined, options),
    enableUser: (id, options) => post(of(id, "/enable"), withChange, undefined, options),
    unlockUser: (id, options) => post(of(id, "/unlock"), withChange, undefined, options),
    verifyUser: (id, options) => post(of(id, "/verify"), withChange, undefined, options),
    resetUserFactors: (id, options) => post(of(id, "/mfa-reset"), withChange, undefined, options),
    revokeUserSessions: (id, input, options) => post(of(id, "/revoke-sessions"), withCount, input, options),
    sendUserPasswordReset: (id, options) => post(of(id, "/send-password-reset"), nothing, undefined, options),
    deleteUser: (id, options) => post(of(id, "/delete"), nothing, undefined, options),
    inviteUser: (input, options) => post(of("invite"), withSentInvitation, input, options),
    listInvitations: (query, options) => get(withQuery(of("invitations"), { ...query }), withInvitations, options),
    withdrawInvitation: (id, options) =>
      post(`${of("invitations")}/${encodeURIComponent(id)}/withdraw`, withSentInvitation, undefined, options),
  };
}
