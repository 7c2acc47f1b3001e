import { Elysia, t } from "elysia";
import { operation, grouped } from "../http/index.ts";
import { providerKinds, type ProviderChoice } from "./provider.ts";

const ListedProvider = t.Object(
  {
    name: t.String({ documented: { description: "In the routes of the provider" } }),
    display_name: t.String({ documented: { description: "What a button says" } }),
    kind: t.UnionEnum([...providerKinds], {
      documented: { description: "`openid` is any provider found by discovery" },
    }),
  },
  { title: "Provider", description: "A provider by which people can sign in" },
);
const ProviderList = t.Object({ ok: t.Literal(true), providers: t.Array(ListedProvider) });

/** The route that tells a sign-in page which providers to offer. */
export const providerRoutes = (providers: readonly ProviderChoice[]) =>
  new Elysia({ prefix: "/api/v1/auth", ...grouped("OAuth") }).get(
    "/providers",
    () => ({
      ok: true as const,
      providers: providers.map(({ name, displayName, kind }) => ({ name, display_name: displayName, kind })),
    }),
    {
      response: { 200: ProviderList },
      detail: operation("listProviders", { summary: "The providers by which people can sign in" }),
    },
  );
