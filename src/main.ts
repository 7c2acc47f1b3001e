import type { AppDefinition } from "./app/definition.ts";
import { build } from "./cli/build.info.ts";
import { runCli } from "./cli/index.ts";

/** The app for people and programs: accounts and sign-in, by pages and a JSON API. */
export const definition: AppDefinition = {
  name: "app",
  ports: { http: 3000, worker: 10_002, scheduler: 10_001 },
  ownsData: true,
  staffPort: 3001,
  modules: [
    "probes",
    "maintenance",
    "brand",
    "contact",
    "cache",
    "queue",
    "auth",
    "auth-api",
    "auth-verify",
    "token-keys",
    "related-origins",
    "personal-tokens",
    "oauth",
    "oauth-api",
    "idp",
    "idp-apps",
    "service",
    "organizations-api",
    "organizations",
    "account",
    "impersonation",
    "mailbox",
    "manual",
    "hello",
    "audit",
    "figures",
    "webhook",
    "backup",
    "metrics",
    "lighthouse",
    "docs",
  ],
};

if (import.meta.main) process.exit(await runCli({ definition, build, args: process.argv.slice(2) }));
