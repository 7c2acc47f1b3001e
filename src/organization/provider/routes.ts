import { answers, Ok, operation } from "../../http/index.ts";
import { ok, open, personOf, type PeopleRouteOptions } from "../routes/person.ts";
import { OrganizationId } from "../schemas.ts";
import { AnyProvider, LoginBody, LoginProvider, OkProvider, presentProvider, ProviderBody } from "./schemas.ts";

const owners = ["forbidden", "organization_not_found"] as const;
const proven = [...owners, "reauthentication_required"] as const;

/** What owners do with the provider of their organization. */
export const providerRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .get(
      "/organizations/:id/provider",
      async ({ params: { id }, request, session }) => {
        const { organization, provider } = await acts.providers.find(person(session, request), id);
        const shown = provider && presentProvider(provider, acts.addressesOf(organization));
        return { ...ok, provider: shown ?? null };
      },
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(AnyProvider, ...owners),
        detail: operation("getProvider", { summary: "The OpenID provider of an organization's own, for its owners" }),
      },
    )
    .put(
      "/organizations/:id/provider",
      async ({ params: { id }, body, request, session }) => {
        const actor = person(session, request);
        const { issuer, client_id: clientId, client_secret: clientSecret, enforced = false } = body;
        const provider = await acts.providers.put(actor, id, { issuer, clientId, clientSecret, enforced });
        return { ...ok, provider: presentProvider(provider, acts.addressesOf(await acts.own(session, id))) };
      },
      {
        requireAuth: true,
        params: OrganizationId,
        body: ProviderBody,
        response: answers(OkProvider, "invalid_payload", ...proven, "domain_required"),
        detail: operation("setProvider", {
          summary: "Have people sign in by a provider of the organization's own, as an owner",
          description:
            "It speaks for addresses below the proven domains of the organization, and for nobody else. Register `callback` of the answer there.",
        }),
      },
    )
    .delete(
      "/organizations/:id/provider",
      async ({ params: { id }, request, session }) => {
        await acts.providers.remove(person(session, request), id);
        return ok;
      },
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(Ok, ...proven, "provider_not_found"),
        detail: operation("removeProvider", {
          summary: "Remove the provider, as an owner: nobody signs in by it any more, and nobody has to",
        }),
      },
    )
    .post(
      "/organizations/:id/provider/sign-out-members",
      async ({ params: { id }, request, session }) => {
        await acts.signMembersOut(person(session, request), id);
        return ok;
      },
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(Ok, ...proven, "provider_not_found", "provider_not_enforced", "rate_limited"),
        detail: operation("signMembersOut", {
          summary: "Sign out, as an owner, every member who has to come by the provider",
          description:
            "Soon after the answer their sessions and personal tokens end, however they came. Owners with a second factor, who are excepted from the demand, stay signed in, and so does who asks.",
        }),
      },
    );
};

/** What a sign-in page asks before it asks for a password. */
export const loginProviderRoutes = ({ acts, auth }: PeopleRouteOptions) =>
  open().post(
    "/login/provider",
    async ({ body, request }) => {
      await auth.limitAddress("login-provider", auth.clientOf(request));
      return { ...ok, provider: (await acts.providerFor(body.login)) ?? null };
    },
    {
      body: LoginBody,
      response: answers(LoginProvider, "invalid_payload", "rate_limited"),
      detail: operation("findLoginProvider", {
        summary: "The provider of the organization that has proven the domain of an address",
        description: "The answer depends on the domain alone: it is the same whether or not anybody has the address.",
      }),
    },
  );
