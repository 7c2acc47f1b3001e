import type { App } from "../../../app/index.ts";
import { command, exitCode } from "../../command.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { createProgress } from "../../terminal/progress.ts";
import { withApp } from "../../app/with.app.ts";
import { clockForbids, force } from "../../app/doubtful.clock.ts";

type Counts = Awaited<ReturnType<NonNullable<App["cleanup"]>["count"]>>;

export const cleanup = command({
  args: {
    "dry-run": { type: "boolean", description: "Delete nothing, count what would be deleted" },
    force,
    json: jsonObject,
  },
  async run(context, args) {
    const { terminal } = context;
    const isTrial = args["dry-run"] === true;
    return withApp(context, async ({ cleanup: own, database }) => {
      if (own === undefined) {
        terminal.err("this app owns no data: run gatehouse auth:cleanup, whose settings say what is kept");
        return exitCode.failed;
      }
      const due = await own.count();
      if (isTrial) return args.json === true ? jsonLine({ dry_run: true, rows: due }) : inWords(due, isTrial);
      if (await clockForbids(terminal, database, args.force)) return exitCode.failed;
      const progress = createProgress(terminal, { doing: "deleting" });
      const onDeleted = (rows: number): void => progress.show(rows, sumOf(due));
      const deleted = await interruptible(async (signal) => {
        const counts = await own.deleteAll({ signal, onDeleted });
        signal.throwIfAborted();
        return counts;
      }).finally(progress.end);
      return args.json === true ? jsonLine({ dry_run: false, rows: deleted }) : inWords(deleted, isTrial);
    });
  },
});

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

function inWords(counts: Counts, isTrial: boolean): string {
  const rows = Object.entries(counts).map(([name, count]) => [name.replaceAll("_", " "), count.toLocaleString("en")]);
  const width = Math.max(...rows.map(([, count = ""]) => count.length));
  const total = sumOf(counts);
  const verb = isTrial ? "would be deleted" : "deleted";
  return [
    ...rows.map(([name, count = ""]) => `${count.padStart(width)}  ${name}`),
    "",
    `${total.toLocaleString("en")} ${total === 1 ? "row" : "rows"} ${verb}`,
  ].join("\n");
}
