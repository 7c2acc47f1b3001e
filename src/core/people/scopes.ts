/** What a service may do. A scope is never renamed: it stands in rows and in the settings of backends. */
export const scopes = ["introspect", "users:read", "users:write", "users:roles"] as const;
export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
