/** The permissions of a service. A scope is never renamed: rows and settings of backends contain it. */
export const scopes = [
  "introspect",
  "users:read",
  "users:write",
  "users:roles",
  "organizations:read",
  "organizations:write",
] as const;
export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
