import type { ProbeTarget } from "../app/environment.ts";

/** Where a program on the same host reaches the app: over loopback, IPv6 where the app listens on that alone. The maintenance control answers under no other address. */
export const ownAddress = ({ host, port }: Pick<ProbeTarget, "host" | "port">): URL =>
  new URL(`http://${host === "::1" ? "[::1]" : "127.0.0.1"}:${port}`);
