import { Elysia } from "elysia";
import {
  hasStaffRole,
  isTagList,
  newMetadata,
  noMetadata,
  presentPrivate,
  type AccountPatch,
  type Accounts,
  type AccountTags,
  type PatchAccount,
  type People,
} from "../auth/index.ts";
import { AppError, invalidFields } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { errorResponses, operation, grouped } from "../http/index.ts";
import type { Caller, ServiceGuard } from "./guard.ts";
import type { CreateUserBody, PatchUser } from "./users.body.ts";
import { userActRoutes } from "./users.acts.routes.ts";
import { passwordFaults, PatchUserBody } from "./users.body.ts";
import { find, usersPath } from "./users.found.ts";
import { ListQuery, readListQuery } from "./users.query.ts";
import { CreatedUser, presentKept, presentPerson, ShownUser, UserId, UserPage } from "./users.view.ts";

interface UserRouteOptions {
  readonly guard: ServiceGuard;
  readonly accounts: Accounts;
  readonly people: People;
  readonly patchAccount: PatchAccount;
  readonly tagOf: AccountTags;
  readonly createBody: CreateUserBody;
}

const tagged = "Stands for all of the account that `updateUser` can change; goes into its `If-Match`";

interface Head {
  readonly headers: { etag?: string };
}

const noTag = (): AppError =>
  new AppError("invalid_payload", { detail: "If-Match takes the ETag of a read with its quotes, or *." });

/** Reads accounts with what services keep on them. */
function createReads({ people, tagOf }: Pick<UserRouteOptions, "people" | "tagOf">) {
  const keptOf = async (id: string) => (await people.metadataOf([id])).get(id) ?? noMetadata;
  return {
    async page(query: Parameters<People["list"]>[0]) {
      const { people: found, next } = await people.list(query);
      const kept = await people.metadataOf(found.map(({ id }) => id));
      const users = found.map((person) => presentKept(person, kept.get(person.id) ?? noMetadata, true));
      return { users, next: next ?? null };
    },

    /** Returns the account, with the tag of this state in the answer's headers. */
    async one(id: string, caller: Caller, set: Head) {
      const person = await find(people, id);
      const kept = await keptOf(id);
      set.headers.etag = tagOf(person, kept);
      return presentKept(person, kept, caller.has("users:read"));
    },

    async whole(id: string, set: Head) {
      const person = await find(people, id);
      const kept = await keptOf(id);
      set.headers.etag = tagOf(person, kept);
      return { ...presentPerson(await people.show(id)), ...presentPrivate(kept) };
    },
  };
}

const readRoutes = ({ guard, people, tagOf }: UserRouteOptions) => {
  const reads = createReads({ people, tagOf });
  return new Elysia(grouped("Users"))
    .use(guard)
    .get(usersPath, async ({ query }) => ({ ok: true as const, ...(await reads.page(readListQuery(query))) }), {
      requireService: { scope: "users:read", query: ListQuery },
      query: ListQuery,
      response: { 200: UserPage, ...errorResponses("invalid_payload", "forbidden", "rate_limited") },
      detail: operation("listUsers", {
        summary: "Find accounts, or list them, the newest first",
        description:
          "Filters are exact, and an account has to have all of them; `search` alone finds beginnings. A parameter that is none of these is refused. A page may have fewer users than were asked for, or none, and a `next` all the same: the last page alone has none.",
      }),
    })
    .get(
      `${usersPath}/:id`,
      async ({ params: { id }, set }) => ({ ok: true as const, user: await reads.whole(id, set) }),
      {
        requireService: "users:read",
        params: UserId,
        response: { 200: ShownUser, ...errorResponses("invalid_payload", "forbidden", "not_found", "rate_limited") },
        detail: operation("getUser", {
          summary: "An account, and what keeps its person from signing in now",
          etag: tagged,
        }),
      },
    );
};

const writeRoutes = ({ guard, accounts, people, patchAccount, tagOf, createBody }: UserRouteOptions) => {
  const reads = createReads({ people, tagOf });
  return new Elysia(grouped("Users"))
    .use(guard)
    .post(
      usersPath,
      async ({ body, caller, set }) => {
        const { display_name: displayName, email_verified: verified = false, roles = [], ...others } = body;
        const { external_id: externalId, app_metadata: app, user_metadata: user, ...form } = others;
        const { private_metadata: hidden, avatar_url: avatarUrl, password_hash: passwordHash, send, ...account } = form;
        if (roles.length > 0) caller.require("users:roles");
        const faults = passwordFaults(body);
        if (Object.keys(faults).length > 0) throw invalidFields(faults);
        const metadata = newMetadata({ app, user, private: hidden });
        const { id } = await accounts.create(
          {
            ...account,
            displayName,
            avatarUrl,
            passwordHash,
            verified,
            roles,
            externalId,
            metadata,
            invites: send === "invitation",
          },
          caller.by,
        );
        return { ok: true as const, user: await reads.one(id, caller, set) };
      },
      {
        requireService: "users:write",
        body: createBody,
        response: {
          200: CreatedUser,
          ...errorResponses(
            "weak_password",
            "forbidden",
            "email_taken",
            "username_taken",
            "external_id_taken",
            "rate_limited",
            "overloaded",
          ),
        },
        detail: operation("createUser", {
          summary: "Make an account, with or without a password",
          etag: tagged,
          description:
            "With `send` as `invitation` its person is mailed a link by which they choose their first password; it is good for days. Else no mail is sent, and `sendUserPasswordReset` sends it later. With `password`, which has to be a good one, or the `password_hash` of another system the person signs in at once. To give `roles` takes the scope `users:roles`. A field that is none of these is refused.",
        }),
      },
    )
    .patch(
      `${usersPath}/:id`,
      async ({ params: { id }, body, request, caller, set }) => {
        if (body.roles !== undefined) caller.require("users:roles");
        if (!isId(id)) throw new AppError("not_found");
        const ifMatch = request.headers.get("if-match");
        if (ifMatch !== null && !isTagList(ifMatch)) throw noTag();
        await patchAccount(id, patchOf(body), {
          by: caller.by,
          ifMatch,
          check: ({ roles }) => {
            if (hasStaffRole(roles)) caller.require("users:roles");
          },
        });
        return { ok: true as const, user: await reads.one(id, caller, set) };
      },
      {
        requireService: "users:write",
        params: UserId,
        body: PatchUserBody,
        response: {
          200: CreatedUser,
          ...errorResponses(
            "forbidden",
            "not_found",
            "email_taken",
            "username_taken",
            "external_id_taken",
            "last_admin",
            "precondition_failed",
            "rate_limited",
          ),
        },
        detail: operation("updateUser", {
          summary: "Change an account: what is left out stays, and all of the rest is changed or nothing",
          etag: tagged,
          description:
            "`roles` is the whole list, and takes the scope `users:roles`. A new `email` counts as unverified unless `email_verified` says otherwise; an old one that was verified is told, with a link that takes the change back. With the header `If-Match` and the `ETag` of a read, a change that somebody else made since is answered with 412. A field that is none of these is refused.",
        }),
      },
    );
};

/** Returns the patch of a body. */
const patchOf = (body: PatchUser): AccountPatch => ({
  email: body.email,
  username: body.username,
  displayName: body.display_name,
  avatarUrl: body.avatar_url,
  timezone: body.timezone,
  locale: body.locale,
  emailVerified: body.email_verified,
  externalId: body.external_id,
  roles: body.roles,
  metadata: { app: body.app_metadata, user: body.user_metadata, private: body.private_metadata },
});

export const userRoutes = (options: UserRouteOptions) =>
  new Elysia().use(readRoutes(options)).use(writeRoutes(options)).use(userActRoutes(options));
