import { networkInterfaces } from "node:os";
import { createClient, type Answer } from "./client.ts";
import type { Target } from "./target.ts";

/** Settings for state that processes share and that outlives them. */
export const sharedState = { CACHE_DRIVER: "database", APP_MAINTENANCE_DRIVER: "cache" } as const;

/** This machine's address for others, if it has a network. */
export const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

export const bearerOf = ({ env }: Target): { authorization: string } => ({
  authorization: `Bearer ${env["APP_DIAG_TOKEN"]}`,
});

/** Calls the control as the commands do. */
export function controlOf(target: Target) {
  const client = createClient(`http://127.0.0.1:${target.port}`);
  const headers = bearerOf(target);
  return {
    enable: (): Promise<Answer> => client.post("/-/maintenance/enable", undefined, { headers }),
    disable: (): Promise<Answer> => client.post("/-/maintenance/disable", undefined, { headers }),
    status: (): Promise<Answer> => client.get("/-/maintenance", { headers }),
  };
}

/** Whether the application answers. Throws on anything but an answer or the refusal of maintenance. */
export async function isOpen({ port }: Target): Promise<boolean> {
  const { status, text } = await createClient(`http://127.0.0.1:${port}`).get("/api/v1/auth/me");
  if (status === 401) return true;
  if (status === 503 && text.includes('"maintenance":true')) return false;
  throw new Error(`unexpected answer ${status} ${text}`);
}

/** Asks without a break until the application is open or closed as given. Resolves to how long that took in milliseconds. */
export async function untilOpen(target: Target, open: boolean, withinMs = 60_000): Promise<number> {
  const started = performance.now();
  while ((await isOpen(target)) !== open) {
    if (performance.now() - started > withinMs) throw new Error(`still ${open ? "closed" : "open"}`);
  }
  return performance.now() - started;
}
