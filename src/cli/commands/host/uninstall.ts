import { createUninstall } from "../../../host/index.ts";
import { command, exitCode, UsageError } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { hostApp, hostSystem, onHost } from "./app.ts";

/** Removes the app from this host, after asking. Settings, secrets and data stay. */
export const uninstall = command({
  args: { yes: { type: "boolean", description: "Do not ask" }, json: jsonObject },
  run: (context, args) =>
    onHost(context, async () => {
      const { terminal, binary } = context;
      const app = hostApp(context);
      const { requireInstalled, uninstall } = createUninstall(hostSystem(context));
      await requireInstalled({ app, root: "/" });
      if (args.yes !== true) {
        if (terminal.ask === undefined) throw new UsageError("nobody is there to ask: say --yes");
        const answer = await terminal.ask(
          `Stop ${binary} and remove its units, command and releases? Settings, secrets\nand data stay. Type yes to go on: `,
        );
        if (answer.trim() !== "yes") {
          terminal.err("nothing was changed");
          return exitCode.failed;
        }
      }
      const { removed, saved, kept } = await uninstall({ app, root: "/" });
      if (args.json === true) terminal.out(jsonLine({ app, removed, saved, kept }));
      else
        for (const line of [
          `${app} is removed from this host`,
          ...(saved.length === 0 ? [] : ["what was edited here is now in", ...saved.map((path) => `  ${path}`)]),
          "still here:",
          ...kept.map((path) => `  ${path}`),
        ])
          terminal.out(line);
      return exitCode.done;
    }),
});
