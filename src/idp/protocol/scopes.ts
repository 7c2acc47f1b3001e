/** The scopes that people let clients have (OpenID Connect Core §5.4). */
export const scopes = ["openid", "profile", "email", "roles", "organizations", "offline_access"] as const;
export const knownScopes: ReadonlySet<string> = new Set(scopes);
