import { build } from "./cli/build.info.ts";
import { runCli } from "./cli/index.ts";

const definition = { name: "app", jsonRoutes: true } as const;

process.exit(await runCli({ definition, build, args: process.argv.slice(2) }));
