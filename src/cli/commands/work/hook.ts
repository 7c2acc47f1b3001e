import { hookPoints, isHookPoint } from "../../../core/people/hook.points.ts";
import { readSettings } from "../../app/environment.ts";
import { recorded } from "../../app/recorded.ts";
import { command, exitCode, UsageError } from "../../command.ts";
import { table, type Column } from "../../terminal/columns.ts";
import { jsonLine, jsonLines, jsonObject } from "../../terminal/json.ts";
import { addressOf, readName } from "./receivers.ts";

interface Row {
  readonly name: string;
  readonly url: string;
  readonly points: readonly string[];
  readonly on_failure: string;
}

const columns: readonly Column<Row>[] = [
  { head: "NAME", of: ({ name }) => name, least: 12 },
  { head: "URL", of: ({ url }) => url, least: 24 },
  { head: "POINTS", of: ({ points }) => points.join(", "), least: 24 },
  { head: "ON FAILURE", of: ({ on_failure: onFailure }) => onFailure },
];

export const list = command({
  args: { json: jsonLines },
  async run({ definition, terminal }, args) {
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    const rows = Object.entries(config.hooks).map(([name, { url, points, timeoutMs, onFailure, allowPrivate }]) => ({
      name,
      url: addressOf(url),
      points,
      timeout_ms: timeoutMs,
      on_failure: onFailure,
      allow_private: allowPrivate,
    }));
    if (args.json === true) for (const row of rows) terminal.out(jsonLine(row));
    else terminal.out(rows.length === 0 ? "no hooks" : table(rows, columns, terminal.columns));
    return exitCode.done;
  },
});

export const test = command({
  args: {
    name: { type: "positional", required: true, description: "Hook, as hook:list names it" },
    point: { type: "string", valueHint: "point", description: "When it is asked; the first of its points by default" },
    email: { type: "string", valueHint: "ADDRESS", description: "Whom it is asked about. Default: ada@example.com" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const settings = readSettings(definition, terminal);
    const name = readName("hook", args.name, Object.keys(settings.config.hooks));
    const point = args.point ?? settings.config.hooks[name]?.points[0] ?? "";
    if (!isHookPoint(point)) throw new UsageError(`--point is one of ${hookPoints.join(", ")}`);
    if (settings.config.hooks[name]?.points.includes(point) === false)
      terminal.err(
        `${name} is never asked at ${point}: its points are ${settings.config.hooks[name].points.join(", ")}`,
      );
    return recorded(context, settings, async ({ log }) => {
      const { openHooks } = await import("../../../app/receivers.ts");
      const result = await openHooks(settings.config, log).test(name, point, args.email ?? "ada@example.com");
      const isDone = "decision" in result;
      if (args.json === true) terminal.out(jsonLine({ ok: isDone, hook: name, point, ...result }));
      else if (isDone)
        terminal.out(
          `${name} answered ${result.decision} after ${result.ms} ms${result.message ? `: ${result.message}` : ""}`,
        );
      else terminal.err(`${name} gave no answer: ${result.error} (${result.ms} ms)`);
      return isDone ? exitCode.done : exitCode.failed;
    });
  },
});
