import type { AppDefinition } from "./app/definition.ts";
import { build } from "./cli/build.info.ts";
import { runCli } from "./cli/index.ts";

/** The app for staff: pages that the server writes, on the same accounts, without the JSON API. */
export const definition: AppDefinition = {
  name: "admin",
  ports: { http: 3001, worker: 10_012, scheduler: 10_011 },
  ownsData: false,
  modules: [
    "probes",
    "maintenance",
    "brand",
    "contact",
    "auth",
    "staff",
    "audit",
    "mailbox",
    "webhook",
    "metrics",
    "lighthouse",
    "docs",
  ],
};

if (import.meta.main) process.exit(await runCli({ definition, build, args: process.argv.slice(2) }));
