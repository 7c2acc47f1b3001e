import { followJournal, logUnits, type JournalLine } from "../../../host/index.ts";
import { command, exitCode, readCount, type ExitCode } from "../../command.ts";
import { harmless } from "../../terminal/columns.ts";
import { interruptible, Interrupted } from "../../terminal/interruptible.ts";
import { hostApp, hostSystem, onHost } from "./app.ts";

const roles = ["api", "worker", "scheduler", "migrate", "command"] as const;
const mostLines = 100_000;
/** How many lines are looked through for errors. */
const mostSearched = 20_000;

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
    errors: { type: "boolean", description: `Only warnings and errors, among the latest ${mostSearched} lines` },
    json: { type: "boolean", description: "Print one object of JSON a line (NDJSON)" },
  },
  async run(context, args) {
    const { terminal } = context;
    const last = readCount("lines", args.lines, mostLines);
    const isSearch = args.errors === true && args.follow !== true;
    return onHost(context, async (): Promise<ExitCode> => {
      const journal = followJournal(
        { ...hostSystem(context), path: terminal.env["PATH"] },
        {
          units: logUnits(hostApp(context), args.role),
          last: isSearch ? Math.max(last, mostSearched) : last,
          since: args.since,
          follows: args.follow === true,
        },
      );
      const show = ({ at, unit, line, readable }: JournalLine): void =>
        terminal.out(args.json === true ? line : harmless(`${at} ${unit} ${readable}`));
      const found: JournalLine[] = [];
      try {
        await interruptible(async (signal) => {
          for await (const line of journal(signal)) {
            if (args.errors === true && !line.isTrouble) continue;
            if (!isSearch) show(line);
            else if (found.push(line) > last) found.shift();
          }
        });
      } catch (error) {
        if (error instanceof Interrupted && args.follow === true) return exitCode.done;
        throw error;
      }
      for (const line of found) show(line);
      return exitCode.done;
    });
  },
});
