/** Systems whose exports of accounts an import reads unchanged. */
export const foreignSystems = ["pocketbase", "supabase", "django", "keycloak", "firebase"] as const;
export type ForeignSystem = (typeof foreignSystems)[number];
