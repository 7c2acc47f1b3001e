import { build } from "./cli/build.info.ts";
import { runCli } from "./cli/index.ts";

const definition = { name: "admin", jsonRoutes: false } as const;

process.exit(await runCli({ definition, build, args: process.argv.slice(2) }));
