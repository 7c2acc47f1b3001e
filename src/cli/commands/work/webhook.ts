import type { Config } from "../../../config/index.ts";
import { table, type Column } from "../../terminal/columns.ts";
import { command, exitCode, UsageError } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { jsonLine, jsonLines, jsonObject } from "../../terminal/json.ts";
import { recorded } from "../../app/recorded.ts";

/** Returns the address of a URL without the query, which may hold a token. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const columns: readonly Column<{ readonly name: string; readonly url: string; readonly topics: readonly string[] }>[] =
  [
    { head: "NAME", of: ({ name }) => name, least: 12 },
    { head: "URL", of: ({ url }) => url, least: 24 },
    { head: "TOPICS", of: ({ topics }) => topics.join(", "), least: 24 },
  ];

export const list = command({
  args: { json: jsonLines },
  async run({ definition, terminal }, args) {
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    const rows = Object.entries(config.webhooks).map(([name, { url, topics, allowPrivate }]) => ({
      name,
      url: addressOf(url),
      topics,
      allow_private: allowPrivate,
    }));
    if (args.json === true) for (const row of rows) terminal.out(jsonLine(row));
    else terminal.out(rows.length === 0 ? "no webhooks" : table(rows, columns, terminal.columns));
    return exitCode.done;
  },
});

/** Reads the name of a configured webhook, also as variables write it: in capitals with underscores. */
function readName(text: string, { webhooks }: Config): string {
  const name = text.toLowerCase().replaceAll("_", "-");
  if (Object.hasOwn(webhooks, name)) return name;
  const known = Object.keys(webhooks);
  throw new UsageError(
    `${JSON.stringify(text)} is no webhook: ${known.length === 0 ? "none is configured" : `there is ${known.join(", ")}`}`,
  );
}

export const test = command({
  args: {
    name: { type: "positional", required: true, description: "Webhook, as webhook:list names it" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const settings = readSettings(definition, terminal);
    const name = readName(args.name, settings.config);
    return recorded(context, settings, async ({ log }) => {
      const { openWebhooks } = await import("../../../app/webhooks.ts");
      const result = await openWebhooks(settings.config, log).test(name);
      const { id, ms } = result;
      const isDone = "status" in result;
      if (args.json === true) terminal.out(jsonLine({ ok: isDone, webhook: name, ...result }));
      else if (isDone) terminal.out(`${name} answered ${result.status} after ${ms} ms to the message ${id}`);
      else terminal.err(`${name} did not take the message ${id}: ${result.error} (${ms} ms)`);
      return isDone ? exitCode.done : exitCode.failed;
    });
  },
});
