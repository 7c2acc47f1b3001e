import type { App } from "../../app/index.ts";
import { timestamp } from "../../core/clock.ts";
import { isName } from "../../core/naming.ts";
import { isScope, scopes } from "../../core/people/scopes.ts";
import { moment, table, type Column } from "../terminal/columns.ts";
import { command, UsageError } from "../command.ts";
import { jsonLine, jsonLines, jsonObject, jsonOf } from "../terminal/json.ts";
import { withApp } from "../app/with.app.ts";

type Service = Awaited<ReturnType<App["services"]["list"]>>[number];

const name = { type: "positional", required: true, description: "Name: crm, billing-worker" } as const;

export const create = command({
  args: {
    name,
    scope: {
      type: "string",
      required: true,
      valueHint: "SCOPES",
      description: `What it may do, with commas between them: ${scopes.join(", ")}`,
    },
    json: jsonObject,
  },
  values: { scope: { among: scopes, several: true } },
  async run(context, args) {
    if (!isName("service", args.name))
      throw new UsageError("NAME takes a to z, 0 to 9 and single dashes, a letter first");
    const granted = [...new Set(args.scope.split(",").map((scope) => scope.trim()))].filter(isScope);
    return withApp(context, async ({ services }) => {
      const service = await services.create(args.name, granted);
      if (service === undefined)
        throw new Error(`there is a service ${args.name} already: revoke it first, or take another name`);
      const { id, secret } = service;
      if (args.json !== true) {
        context.terminal.err("the secret is not shown again; only its hash is kept");
        return secret;
      }
      return jsonLine({ id, name: args.name, scopes: granted, created_at: timestamp(service.createdAt), secret });
    });
  },
});

export const revoke = command({
  args: { name, json: jsonObject },
  async run(context, args) {
    return withApp(context, async ({ services }) => {
      if (!(await services.revoke(args.name))) throw new Error("no such service");
      if (args.json === true) return jsonLine({ name: args.name, revoked: true });
      return "revoked: its secret opens nothing any more";
    });
  },
});

export const list = command({
  args: { json: jsonLines },
  async run(context, args) {
    return withApp(context, async ({ services }) => {
      const all = await services.list();
      if (args.json === true) return jsonOf(all.map(present));
      return all.length === 0 ? "no services" : table(all, columns, context.terminal.columns);
    });
  },
});

const present = ({ id, name, scopes, createdAt, lastUsedAt, revokedAt }: Service) => ({
  id,
  name,
  scopes: scopes.split(" "),
  created_at: timestamp(createdAt),
  last_used_at: timestamp(lastUsedAt),
  revoked_at: timestamp(revokedAt),
});

const columns: readonly Column<Service>[] = [
  { head: "NAME", of: ({ name }) => name, least: 12 },
  { head: "SCOPES", of: ({ scopes }) => scopes.replaceAll(" ", ", "), least: 12 },
  { head: "LAST USED (UTC)", of: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : moment(lastUsedAt)) },
  { head: "REVOKED (UTC)", of: ({ revokedAt }) => (revokedAt === null ? "" : moment(revokedAt)) },
];
