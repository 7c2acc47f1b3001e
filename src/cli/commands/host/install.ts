import { resolve } from "node:path";
import { createInstall, readAddress, topologies, untilReady } from "../../../host/index.ts";
import { command, exitCode, UsageError } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { hostApp, hostSystem, neededSecrets, onHost, releaseActs } from "./app.ts";
import { freshSecret } from "../settings/key.ts";
import { installedLines } from "./report.ts";

/** Makes the running binary a service of this machine: from an empty Debian to a first login. */
export const install = command({
  args: {
    url: { type: "string", valueHint: "URL", description: "The address that people will see; needed the first time" },
    topology: {
      type: "enum",
      options: [...topologies],
      description: "Two instances on one port, two with a port each, or one process (default: shared)",
    },
    "mail-from": {
      type: "string",
      valueHint: "TEXT",
      description: "Sender of mails (default: Gatehouse <no-reply@NAME>, with the name in the URL)",
    },
    "dry-run": { type: "boolean", description: "Write nothing, say what would be done" },
    root: { type: "string", valueHint: "DIR", description: "Write below this folder and start nothing, for an image" },
    json: jsonObject,
  },
  async run(context, args) {
    const { terminal } = context;
    const dryRun = args["dry-run"] === true;
    const isBinary = context.build.revision !== "source";
    if (!isBinary && !dryRun)
      throw new UsageError(
        "this runs from the sources, and a host takes a compiled binary",
        "Build one with bun build.ts",
      );
    const url = args.url === undefined ? undefined : readUrl(args.url);
    const app = hostApp(context);
    const asJson = args.json === true;
    // With --json, progress goes to standard error, apart from the JSON.
    const told = { ...terminal, out: asJson ? terminal.err : terminal.out };
    const { install } = createInstall({
      system: hostSystem(context),
      freshSecret,
      ...releaseActs({ ...context, terminal: told }),
      untilReady: (port) => untilReady(app, port),
      say: told.out,
    });
    const root = resolve(args.root ?? "/");
    return onHost(context, async () => {
      const installed = await install(
        {
          app,
          root,
          url,
          topology: args.topology,
          mailFrom: args["mail-from"],
          binary: isBinary ? process.execPath : undefined,
          secrets: neededSecrets(app),
        },
        { dryRun },
      );
      if (asJson) terminal.out(jsonLine({ app, root, ...installed }));
      else for (const line of installedLines(installed, { app, root, dryRun })) terminal.out(line);
      return exitCode.done;
    });
  },
});

function readUrl(text: string): URL {
  const url = readAddress(text);
  if (typeof url === "string")
    throw new UsageError(
      `--url ${text} ${url}`,
      "Give the address that people will see, such as https://auth.example.com",
    );
  return url;
}
