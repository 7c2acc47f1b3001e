import type { App } from "../../../app/index.ts";
import { byOperator } from "../../../core/audit.ts";
import { timestamp } from "../../../core/clock.ts";
import { isId } from "../../../core/ids.ts";
import { moment, table, type Column } from "../../terminal/columns.ts";
import { command, exitCode, readCount, UsageError } from "../../command.ts";
import { withApp } from "../../app/with.app.ts";
import { readSettings } from "../../app/environment.ts";
import { jsonLine, jsonLines, jsonObject, jsonOf } from "../../terminal/json.ts";
import { recorded } from "../../app/recorded.ts";
import { addressOf, readName } from "./receivers.ts";

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

export const test = command({
  args: {
    name: { type: "positional", required: true, description: "Webhook, as webhook:list names it" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const settings = readSettings(definition, terminal);
    const name = readName("webhook", args.name, Object.keys(settings.config.webhooks));
    return recorded(context, settings, async ({ log }) => {
      const { openWebhooks } = await import("../../../app/receivers.ts");
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

type Delivery = Awaited<ReturnType<App["deliveries"]["page"]>>[number];

const mostListed = 1_000;

const deliveryColumns: readonly Column<Delivery>[] = [
  { head: "TIME", of: ({ at }) => moment(at) },
  { head: "EVENT", of: ({ topic }) => topic, least: 16 },
  { head: "OUTCOME", of: ({ outcome, status }) => (status === null ? outcome : `${outcome} ${status}`) },
  { head: "ATTEMPT", of: ({ attempt }) => String(attempt) },
  { head: "ID", of: ({ id }) => id },
  { head: "WHY", of: ({ error }) => error ?? "", least: 12 },
];

const presentDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  message_id: delivery.messageId,
  webhook: delivery.webhook,
  topic: delivery.topic,
  outcome: delivery.outcome,
  status: delivery.status,
  duration_ms: delivery.durationMs,
  attempt: delivery.attempt,
  at: timestamp(delivery.at),
  error: delivery.error,
});

export const deliveries = command({
  args: {
    name: { type: "positional", required: false, description: "Webhook, as webhook:list names it; all without it" },
    failed: { type: "boolean", description: "Only attempts that failed" },
    limit: { type: "string", default: "50", valueHint: "N", description: "At most so many, the newest first" },
    json: jsonLines,
  },
  async run(context, args) {
    const limit = readCount("limit", args.limit, mostListed);
    return withApp(context, async (app) => {
      const query = { webhook: args.name?.toLowerCase().replaceAll("_", "-"), onlyFailed: args.failed === true, limit };
      const found = await app.deliveries.page(query);
      const isUnknown = query.webhook !== undefined && !app.deliveries.names.includes(query.webhook);
      // One that was configured once may have deliveries still.
      if (found.length === 0 && isUnknown) readName("webhook", args.name ?? "", app.deliveries.names);
      if (args.json === true) return jsonOf(found.map(presentDelivery));
      return found.length === 0 ? "no deliveries" : table(found, deliveryColumns, context.terminal.columns);
    });
  },
});

export const resend = command({
  args: {
    id: { type: "positional", required: true, description: "Delivery, as webhook:deliveries names it" },
    json: jsonObject,
  },
  async run(context, args) {
    if (!isId(args.id)) throw new UsageError(`${JSON.stringify(args.id)} is not the id of a delivery`);
    return withApp(context, async (app) => {
      const resent = await app.deliveries.resend(args.id, byOperator);
      if (resent === undefined) throw new Error(`there is no delivery ${args.id}`);
      const { webhook, isSent } = resent;
      if (!isSent) throw new Error(`webhook ${webhook} is not configured any more: nobody would take the message`);
      return args.json === true ? jsonLine({ ok: true, webhook }) : `the message is sent to ${webhook} once more`;
    });
  },
});
