import { followJournal, logUnits } from "../../../host/index.ts";
import { command, exitCode, readCount, type ExitCode } from "../../command.ts";
import { harmless } from "../../terminal/columns.ts";
import { interruptible, Interrupted } from "../../terminal/interruptible.ts";
import { hostApp, hostSystem, onHost } from "./app.ts";

const roles = ["api", "worker", "scheduler", "migrate", "command"] as const;
const mostLines = 100_000;

/** Shows what the services of the app have logged, from the journal of this host. */
export const logs = command({
  args: {
    role: {
      type: "enum",
      options: [...roles],
      description: "Of these services alone. Default: of all, and of commands",
    },
    since: {
      type: "string",
      valueHint: "TIME",
      description: "From this time on, as journalctl reads it: -1h, yesterday, 09:00",
    },
    lines: {
      type: "string",
      default: "200",
      valueHint: "N",
      description: `At most the latest N lines, up to ${mostLines}`,
    },
    follow: { type: "boolean", description: "Go on with what comes, until Ctrl-C" },
    errors: { type: "boolean", description: "Only lines of warnings and errors" },
    json: { type: "boolean", description: "Print one object of JSON a line (NDJSON)" },
  },
  async run(context, args) {
    const { terminal } = context;
    const last = readCount("lines", args.lines, mostLines);
    const isTrouble = (line: string): boolean => !/^\{.*"level":"(?:debug|info)"/.test(line);
    return onHost(context, async (): Promise<ExitCode> => {
      const units = logUnits(hostApp(context), args.role);
      const journal = followJournal(
        { ...hostSystem(context), path: terminal.env["PATH"] },
        {
          units,
          last,
          since: args.since,
          follows: args.follow === true,
        },
      );
      try {
        await interruptible(async (signal) => {
          for await (const { at, unit, line, readable } of journal(signal)) {
            if (args.errors === true && !isTrouble(line)) continue;
            terminal.out(args.json === true ? line : harmless(`${at} ${unit} ${readable}`));
          }
        });
      } catch (error) {
        if (error instanceof Interrupted && args.follow === true) return exitCode.done;
        throw error;
      }
      return exitCode.done;
    });
  },
});
