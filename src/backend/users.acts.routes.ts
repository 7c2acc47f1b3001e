import { Elysia } from "elysia";
import type { Accounts, People } from "../auth/index.ts";
import type { By } from "../core/audit.ts";
import { errorResponses, grouped, Ok, operation } from "../http/index.ts";
import type { ServiceGuard } from "./guard.ts";
import { NoFields, RevokeSessionsBody } from "./users.body.ts";
import { requireActOn, usersPath } from "./users.found.ts";
import { Changed, SessionsEnded, UserId } from "./users.view.ts";

interface ActRouteOptions {
  readonly guard: ServiceGuard;
  readonly accounts: Accounts;
  readonly people: People;
}

function standingRoutes({ guard, accounts, people }: ActRouteOptions) {
  /** A change that may have been made before. */
  const change = (
    action: string,
    operationId: string,
    summary: string,
    act: (id: string, by: By) => Promise<boolean>,
  ) =>
    new Elysia(grouped("Users")).use(guard).post(
      `${usersPath}/:id/${action}`,
      async ({ params: { id }, caller }) => {
        await requireActOn(people, id, caller);
        return { ok: true as const, changed: await act(id, caller.by) };
      },
      {
        requireService: "users:write",
        params: UserId,
        body: NoFields,
        response: { 200: Changed, ...errorResponses("forbidden", "not_found", "last_admin", "rate_limited") },
        detail: operation(operationId, { summary }),
      },
    );

  return new Elysia(grouped("Users"))
    .use(
      change("disable", "disableUser", "Disable an account: its sessions end, and nobody signs in", accounts.disable),
    )
    .use(change("enable", "enableUser", "Enable an account that was disabled", accounts.enable))
    .use(change("unlock", "unlockUser", "Forget the wrong passwords and codes that keep a person out", accounts.unlock))
    .use(change("verify", "verifyUser", "Count the address as verified, without a mail", accounts.verify))
    .use(
      change(
        "mfa-reset",
        "resetUserFactors",
        "Remove every second factor of an account, and end its sessions: for a person who has lost them",
        accounts.resetFactors,
      ),
    );
}

const endingRoutes = ({ guard, accounts, people }: ActRouteOptions) =>
  new Elysia(grouped("Users"))
    .use(guard)
    .post(
      `${usersPath}/:id/revoke-sessions`,
      async ({ params: { id }, body, caller }) => {
        await requireActOn(people, id, caller);
        const ended = await accounts.revokeSessions(id, caller.by, body.session_id);
        return { ok: true as const, sessions_ended: ended };
      },
      {
        requireService: "users:write",
        params: UserId,
        body: RevokeSessionsBody,
        response: { 200: SessionsEnded, ...errorResponses("forbidden", "not_found", "rate_limited") },
        detail: operation("revokeUserSessions", { summary: "End the sessions of an account, or one of them" }),
      },
    )
    .post(
      `${usersPath}/:id/send-password-reset`,
      async ({ params: { id }, caller }) => {
        await requireActOn(people, id, caller);
        await accounts.sendPasswordReset(id, caller.by);
        return { ok: true as const };
      },
      {
        requireService: "users:write",
        params: UserId,
        body: NoFields,
        response: { 200: Ok, ...errorResponses("forbidden", "not_found", "account_inactive", "rate_limited") },
        detail: operation("sendUserPasswordReset", {
          summary: "Mail a link by which the person chooses a password",
          description:
            "To the account's own address alone. A person who has no password yet is asked to choose their first one, and that link is good for days. The answer has neither link nor token.",
        }),
      },
    )
    .post(
      `${usersPath}/:id/delete`,
      async ({ params: { id }, caller }) => {
        await requireActOn(people, id, caller);
        await accounts.delete(id, caller.by);
        return { ok: true as const };
      },
      {
        requireService: "users:write",
        params: UserId,
        body: NoFields,
        response: { 200: Ok, ...errorResponses("forbidden", "not_found", "last_admin", "rate_limited") },
        detail: operation("deleteUser", { summary: "Delete an account for good, with what hangs on it" }),
      },
    );

export const userActRoutes = (options: ActRouteOptions) =>
  new Elysia().use(standingRoutes(options)).use(endingRoutes(options));
