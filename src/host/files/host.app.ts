/** An app that a host has: the name of its binary, its units and its command. */
export type HostApp = "gatehouse" | "gatehouse-admin";
