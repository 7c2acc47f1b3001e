export const login = { type: "positional", required: true, description: "Username, email address or id" } as const;
