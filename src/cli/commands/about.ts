import type { Config } from "../../config/index.ts";
import { describeDatabase } from "../../drivers/database/open.ts";
import { describeStorage } from "../../drivers/storage/open.ts";
import { command, exitCode, UsageError, type CommandContext, type ExitCode, type Terminal } from "../command.ts";
import { readSettings } from "../app/environment.ts";
import { jsonLine, jsonObject } from "../terminal/json.ts";

export const about = command({
  args: {
    json: jsonObject,
    licenses: { type: "boolean", description: "Show the licences of all that the binary holds of others" },
  },
  async run({ definition, build, terminal }, args) {
    if (args.licenses === true) {
      if (args.json === true) throw new UsageError("--licenses prints a text: it does not go with --json");
      return showLicenses(terminal);
    }
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    const facts = describe(config, build);
    if (args.json === true) terminal.out(jsonLine(facts));
    else for (const line of lines(facts)) terminal.out(line);
    return exitCode.done;
  },
});

async function showLicenses(terminal: Terminal): Promise<ExitCode> {
  const { readLicenses } = await import("../licenses.ts");
  const text = readLicenses();
  if (text === undefined) throw new Error("only a binary holds the licences; in the sources they are in node_modules");
  terminal.out(text.trimEnd());
  return exitCode.done;
}

/** Returns one field for each resource of a family: `cache` for the default, `cache.profiles` for one of that name. */
const named = <Resource>(
  family: string,
  resources: Readonly<Record<string, Resource>>,
  of: (each: Resource) => string,
) =>
  Object.fromEntries(
    Object.entries(resources).map(([name, resource]) => [
      name === "default" ? family : `${family}.${name}`,
      of(resource),
    ]),
  );
const driverOf = ({ driver }: { readonly driver: string }): string => driver;

/** Lists the fields one by one, so that nothing else, above all no secret, can be printed. */
const describe = ({ app, http, database, ...config }: Config, build: CommandContext["build"]) => ({
  version: build.version,
  revision: build.revision,
  runtime: `bun ${Bun.version}`,
  platform: `${process.platform}-${process.arch}`,
  app: app.name,
  env: app.env,
  debug: app.debug,
  url: app.url.origin,
  listen: `${http.host}:${http.port}`,
  drivers: {
    database: database.driver,
    ...named("cache", config.cache, driverOf),
    ...named("queue", config.queue.resources, driverOf),
    ...named("events", config.events, driverOf),
    ...named("storage", config.storage, driverOf),
    mail: config.mail.driver,
    maintenance: config.maintenance.driver,
  },
  paths: {
    binary: process.execPath,
    working: process.cwd(),
    database: describeDatabase(database).location,
    ...named("storage", config.storage, describeStorage),
  },
});

const lines = (facts: ReturnType<typeof describe>): string[] =>
  Object.entries(facts).flatMap(([name, value]) =>
    typeof value === "object"
      ? Object.entries(value).map(([key, text]) => `${`${name}.${key}`.padEnd(20)} ${text}`)
      : [`${name.padEnd(20)} ${value}`],
  );
