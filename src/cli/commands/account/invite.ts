import type { App } from "../../../app/index.ts";
import { byOperator } from "../../../core/audit.ts";
import { presentInvitation } from "../../../app/presented.ts";
import { moment, table, type Column } from "../../terminal/columns.ts";
import { command, readCount, readRoles } from "../../command.ts";
import { jsonLine, jsonLines, jsonObject, jsonOf } from "../../terminal/json.ts";
import { withApp } from "../../app/with.app.ts";

type Invitation = Awaited<ReturnType<App["invitations"]["withdraw"]>>;

const mostRows = 1_000;

export const invite = command({
  args: {
    email: { type: "positional", required: true, description: "Address to invite" },
    role: { type: "string", valueHint: "ROLES", description: "Roles of the account, with commas between them: editor" },
    "display-name": { type: "string", description: "Name that the page suggests" },
    days: { type: "string", default: "7", valueHint: "N", description: "How long the link works, 1 to 30" },
    locale: { type: "string", valueHint: "TAG", description: "Language of the mail and the account: en, de-AT" },
    json: jsonObject,
  },
  async run(context, args) {
    const roles = args.role === undefined ? undefined : readRoles("role", args.role);
    const days = readCount("days", args.days, 30);
    return withApp(context, async ({ invitations }) => {
      const form = {
        email: args.email,
        roles,
        displayName: args["display-name"],
        locale: args.locale,
        days,
      };
      const { invitation, isRenewed } = await invitations.invite(form, byOperator);
      if (args.json === true) return jsonLine({ ...presentInvitation(invitation), renewed: isRenewed });
      const as = invitation.roles.length === 0 ? "" : ` as ${invitation.roles.join(", ")}`;
      return `invited ${invitation.email}${isRenewed ? " again" : ""}${as}; the link works until ${moment(invitation.expiresAt)} UTC`;
    });
  },
});

export const uninvite = command({
  args: {
    email: { type: "positional", required: true, description: "Address, or id of the invitation" },
    forget: { type: "boolean", description: "Delete all that is kept of the address's invitations, too" },
    json: jsonObject,
  },
  async run(context, args) {
    return withApp(context, async ({ invitations }) => {
      if (args.forget === true) {
        const count = await invitations.forget(args.email, byOperator);
        if (args.json === true) return jsonLine({ email: args.email, forgotten: count });
        return `${count} ${count === 1 ? "invitation" : "invitations"} deleted: no link works any more`;
      }
      const withdrawn = await invitations.withdraw(args.email, byOperator);
      if (args.json === true) return jsonLine(presentInvitation(withdrawn));
      return `withdrew the invitation of ${withdrawn.email}: its links work no longer`;
    });
  },
});

export const list = command({
  args: {
    all: { type: "boolean", description: "Also those that were accepted or withdrawn lately" },
    limit: { type: "string", default: "100", valueHint: "N", description: `At most N rows, up to ${mostRows}` },
    json: jsonLines,
  },
  async run(context, args) {
    const limit = readCount("limit", args.limit, mostRows);
    return withApp(context, async ({ invitations }) => {
      const { invitations: rows, next } = await invitations.list({ all: args.all === true, limit });
      if (args.json === true) return jsonOf(rows.map(presentInvitation));
      if (next !== undefined) context.terminal.err(`the newest ${limit}, there may be more: see --limit`);
      return rows.length === 0 ? "no invitations" : table(rows, columns, context.terminal.columns);
    });
  },
});

const inviter = ({ invitedBy: { actor, name } }: Invitation): string => (name === null ? actor : `${actor} ${name}`);

const columns: readonly Column<Invitation>[] = [
  { head: "ADDRESS", of: ({ email }) => email, least: 20 },
  { head: "ROLES", of: ({ roles }) => roles.join(","), least: 8 },
  { head: "STATE", of: ({ state }) => state },
  { head: "UNTIL (UTC)", of: ({ expiresAt }) => moment(expiresAt) },
  { head: "INVITED BY", of: inviter, least: 10 },
];
