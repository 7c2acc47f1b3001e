/** The apps that a host can have, in the order in which they are installed. */
export const hostApps = ["gatehouse", "gatehouse-admin"] as const;
/** An app that a host has: the name of its binary, its units and its command. */
export type HostApp = (typeof hostApps)[number];
