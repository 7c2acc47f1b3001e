import { command, exitCode } from "../command.ts";
import { readSettings } from "../environment.ts";
import { unopenedDatabase } from "../unopened.database.ts";

export const list = command({
  args: { json: { type: "boolean", description: "Print the list as JSON" } },
  async run({ definition, build, terminal }, args) {
    const { config, log } = readSettings(definition, terminal, { onlyLooks: true });
    const { createApp } = await import("../../app/index.ts");
    const app = await createApp({ definition, config, build, log, database: unopenedDatabase(config.database.driver) });
    const routes = app
      .routes()
      .map(({ method, path }) => ({ method, path }))
      .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
    await app.close();
    if (args.json === true) terminal.out(JSON.stringify(routes));
    else for (const { method, path } of routes) terminal.out(`${method.padEnd(7)} ${path}`);
    return exitCode.done;
  },
});
