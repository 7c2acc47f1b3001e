import { byOperator } from "../../../core/audit.ts";
import { command, UsageError } from "../../command.ts";
import { harmless, moment, table, type Column } from "../../terminal/columns.ts";
import { jsonLine, jsonLines, jsonObject, jsonOf } from "../../terminal/json.ts";
import { changeFlags, settingFlags, readSettings, settingValues } from "./settings.flags.ts";
import { presentClient, shownClient, withClients, type Clients } from "./with.clients.ts";

type Client = Awaited<ReturnType<Clients["list"]>>[number];

const name = { type: "positional", required: true, description: "Name, as people read it: Shop, Grafana" } as const;
const named = { type: "positional", required: true, description: "Name or id of the program" } as const;

const secretIsNotShownAgain = "the secret is not shown again; only its hash is kept";

/** Returns the program that an operator means. */
async function meant(clients: Clients, text: string): Promise<Client> {
  const found = (await clients.byName(text)) ?? (await clients.byId(text));
  if (found === undefined) throw new Error("no such program: client:list shows them");
  return found;
}

const types = ["web", "browser", "native", "machine"] as const;

export const create = command({
  args: {
    name,
    type: {
      type: "enum",
      options: [...types],
      required: true,
      description: "web has a server, browser runs in one, native is on a device, machine signs nobody in",
    },
    ...settingFlags,
    json: jsonObject,
  },
  repeated: ["redirect-uri", "post-logout-uri"],
  values: settingValues,
  async run(context, args, every) {
    const type = types.find((each) => each === args.type);
    if (type === undefined) throw new UsageError("--type is missing");
    const settings = readSettings(args, every);
    return withClients(context, async (clients) => {
      const { client, secret } = await clients.create(args.name, { type, ...settings }, byOperator);
      for (const doubt of clients.doubts(client.settings)) context.terminal.err(harmless(doubt));
      if (args.json === true) return jsonLine(presentClient(client, secret));
      if (secret !== undefined) context.terminal.err(secretIsNotShownAgain);
      return [`client_id=${client.id}`, ...(secret === undefined ? [] : [`client_secret=${secret}`])].join("\n");
    });
  },
});

export const update = command({
  args: {
    program: named,
    name: { type: "string", valueHint: "NAME", description: "Another name for it, as people read it" },
    ...changeFlags,
    json: jsonObject,
  },
  repeated: ["redirect-uri", "post-logout-uri"],
  values: settingValues,
  async run(context, args, every) {
    const changed = { ...readSettings(args, every), ...(args.name !== undefined && { name: args.name }) };
    if (Object.keys(changed).length === 0) throw new UsageError("there is nothing to change");
    return withClients(context, async (clients) => {
      const { client, secret } = await clients.update(await meant(clients, args.program), changed, byOperator);
      for (const doubt of clients.doubts(client.settings)) context.terminal.err(harmless(doubt));
      if (args.json === true) return jsonLine(presentClient(client, secret));
      if (secret === undefined) return "changed";
      context.terminal.err(secretIsNotShownAgain);
      return `client_secret=${secret}`;
    });
  },
});

export const secret = command({
  args: { name: named, json: jsonObject },
  async run(context, args) {
    return withClients(context, async (clients) => {
      const client = await meant(clients, args.name);
      const made = await clients.renewSecret(client, byOperator);
      if (args.json === true) return jsonLine({ client_id: client.id, client_secret: made });
      context.terminal.err(`${secretIsNotShownAgain}; the one before is worthless from now on`);
      return made;
    });
  },
});

export const revoke = command({
  args: { name: named, json: jsonObject },
  async run(context, args) {
    return withClients(context, async (clients) => {
      const client = await meant(clients, args.name);
      await clients.remove(client, byOperator);
      if (args.json === true) return jsonLine({ client_id: client.id, revoked: true });
      return "removed: it signs nobody in any more, and what it held for people has ended";
    });
  },
});

export const show = command({
  args: { name: named, json: jsonObject },
  async run(context, args) {
    return withClients(context, async (clients) => {
      const client = await meant(clients, args.name);
      return args.json === true ? jsonLine(presentClient(client)) : shownClient(client);
    });
  },
});

export const list = command({
  args: { json: jsonLines },
  async run(context, args) {
    return withClients(context, async (clients) => {
      const all = await clients.list();
      if (args.json === true) return jsonOf(all.map((client) => presentClient(client)));
      return all.length === 0 ? "no programs" : table(all, columns, context.terminal.columns);
    });
  },
});

const columns: readonly Column<Client>[] = [
  { head: "NAME", of: ({ name }) => name, least: 12 },
  { head: "TYPE", of: ({ settings }) => settings.type },
  // An id stays in one piece, so that it can be copied; client:show has the rest.
  { head: "ID", of: ({ id }) => id },
  {
    head: "LAST USED (UTC)",
    of: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : moment(lastUsedAt).slice(0, "2026-01-31 12:00".length)),
  },
];
