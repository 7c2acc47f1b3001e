/** Systems whose exports of accounts an import reads unchanged. */
export const foreignSystems = ["pocketbase", "supabase", "django", "keycloak", "firebase", "clerk", "auth0"] as const;
export type ForeignSystem = (typeof foreignSystems)[number];

/** Systems that keep an app's own fields beside their own, and whose exports do not say who writes them. */
export const systemsWithFields: readonly ForeignSystem[] = ["pocketbase", "keycloak"];
