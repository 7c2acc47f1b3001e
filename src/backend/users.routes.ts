import { Elysia } from "elysia";
import { adminRole, type Accounts, type People, type PersonSummary } from "../auth/index.ts";
import type { By } from "../core/audit.ts";
import { AppError } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { errorResponses, Ok, operation, grouped } from "../http/index.ts";
import type { Caller, ServiceGuard } from "./guard.ts";
import type { CreateUserBody } from "./users.body.ts";
import { RevokeSessionsBody } from "./users.body.ts";
import {
  Changed,
  CreatedUser,
  ListQuery,
  presentPerson,
  presentSummary,
  SessionsEnded,
  ShownUser,
  UserId,
  UserPage,
} from "./users.view.ts";

interface UserRouteOptions {
  readonly guard: ServiceGuard;
  readonly accounts: Accounts;
  readonly people: People;
  readonly createBody: CreateUserBody;
}

const usersPath = "/api/v1/users";

/** An account's id and nothing else: what is no id could be the name that somebody has chosen. */
async function find(people: People, id: string): Promise<PersonSummary> {
  const [person] = isId(id) ? (await people.list({ search: id, limit: 1 })).people : [];
  if (person === undefined) throw new AppError("not_found");
  return person;
}

/** Refuses an act on an admin by a service that may make none. */
async function requireActOn(people: People, id: string, caller: Caller): Promise<void> {
  const { roles } = await find(people, id);
  if (roles.includes(adminRole)) caller.require("users:roles");
}

const accountRoutes = ({ guard, accounts, people, createBody }: UserRouteOptions) =>
  new Elysia(grouped("Users"))
    .use(guard)
    .get(
      usersPath,
      async ({ query: { limit = "50", ...query } }) => {
        const page = await people.list({ ...query, limit: Number(limit) });
        return { ok: true as const, users: page.people.map(presentSummary), next: page.next ?? null };
      },
      {
        requireService: "users:read",
        query: ListQuery,
        response: { 200: UserPage, ...errorResponses("invalid_payload", "forbidden", "rate_limited") },
        detail: operation("listUsers", {
          summary: "Find accounts, or list them, the newest first",
          description:
            "A page may have fewer users than were asked for, or none, and a `next` all the same: the last page alone has none.",
        }),
      },
    )
    .get(
      `${usersPath}/:id`,
      async ({ params: { id } }) => {
        await find(people, id);
        return { ok: true as const, user: presentPerson(await people.show(id)) };
      },
      {
        requireService: "users:read",
        params: UserId,
        response: { 200: ShownUser, ...errorResponses("forbidden", "not_found", "rate_limited") },
        detail: operation("getUser", { summary: "An account, and what keeps its person from signing in now" }),
      },
    )
    .post(
      usersPath,
      async ({ body, caller }) => {
        const { display_name: displayName, email_verified: verified = false, roles = [], ...form } = body;
        if (roles.length > 0) caller.require("users:roles");
        const { id } = await accounts.create({ ...form, displayName, verified, roles }, caller.by);
        return { ok: true as const, user: presentSummary(await find(people, id)) };
      },
      {
        requireService: "users:write",
        body: createBody,
        response: {
          200: CreatedUser,
          ...errorResponses("forbidden", "email_taken", "username_taken", "rate_limited"),
        },
        detail: operation("createUser", {
          summary: "Make an account without a password",
          description:
            "No mail is sent. Its person chooses a password by a mailed link: see `sendUserPasswordReset`. To give `roles` takes the scope `users:roles`.",
        }),
      },
    );

function standingRoutes({ guard, accounts, people }: UserRouteOptions) {
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

const endingRoutes = ({ guard, accounts, people }: UserRouteOptions) =>
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
        response: { 200: Ok, ...errorResponses("forbidden", "not_found", "account_inactive", "rate_limited") },
        detail: operation("sendUserPasswordReset", {
          summary: "Mail a link by which the person chooses a password",
          description: "To the account's own address alone. The answer has neither link nor token.",
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
        response: { 200: Ok, ...errorResponses("forbidden", "not_found", "last_admin", "rate_limited") },
        detail: operation("deleteUser", { summary: "Delete an account for good, with what hangs on it" }),
      },
    );

export const userRoutes = (options: UserRouteOptions) =>
  new Elysia().use(accountRoutes(options)).use(standingRoutes(options)).use(endingRoutes(options));
