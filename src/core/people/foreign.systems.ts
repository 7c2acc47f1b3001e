/** The systems whose exports of accounts an import reads as they are. */
export const foreignSystems = ["pocketbase", "supabase", "django", "keycloak", "firebase"] as const;
export type ForeignSystem = (typeof foreignSystems)[number];
