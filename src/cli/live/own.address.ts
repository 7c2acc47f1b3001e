import type { ProbeTarget } from "../app/environment.ts";

/**
 * Returns the address of the app for programs on the same host: loopback, in IPv6 if the app listens on that alone. The maintenance control
 * answers under no other address.
 */
export const ownAddress = ({ host, port }: Pick<ProbeTarget, "host" | "port">): URL =>
  new URL(`http://${host === "::1" ? "[::1]" : "127.0.0.1"}:${port}`);
