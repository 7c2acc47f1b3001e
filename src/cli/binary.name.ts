/** What the binary of an app is called, and with it the folder of its releases and its units. */
export const binaryOf = { app: "gatehouse", admin: "gatehouse-admin" } as const;
