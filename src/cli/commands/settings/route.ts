import { command, exitCode } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { jsonLine, jsonLines } from "../../terminal/json.ts";
import { unopenedDatabase } from "../../app/unopened.database.ts";

export const list = command({
  args: { json: jsonLines },
  async run({ definition, build, terminal }, args) {
    const { config, log } = readSettings(definition, terminal, { onlyLooks: true });
    const { createApp } = await import("../../../app/index.ts");
    const app = await createApp({ definition, config, build, log, database: unopenedDatabase(config.database.driver) });
    const routes = app
      .routes()
      .map(({ method, path }) => ({ method, path }))
      .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
    await app.close();
    for (const route of routes)
      terminal.out(args.json === true ? jsonLine(route) : `${route.method.padEnd(7)} ${route.path}`);
    return exitCode.done;
  },
});
