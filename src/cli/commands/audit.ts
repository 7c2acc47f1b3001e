import type { App } from "../../app/index.ts";
import { auditActions, programOf } from "../../core/audit.ts";
import { timestamp } from "../../core/clock.ts";
import { isId } from "../../core/ids.ts";
import { byWhom, eventColumns, namesIn } from "../audit.columns.ts";
import { moment, table, type Column } from "../terminal/columns.ts";
import { command, readCount } from "../command.ts";
import { organizationOf } from "./organization/with.organizations.ts";
import { jsonLines, jsonOf } from "../terminal/json.ts";
import { readTime, when } from "../usage/time.option.ts";
import { withApp } from "../app/with.app.ts";

type AuditRow = Awaited<ReturnType<App["audit"]["list"]>>[number];

const mostRows = 10_000;

export const list = command({
  args: {
    user: { type: "string", valueHint: "USER", description: "Whose account: its id, username or email address" },
    service: {
      type: "string",
      valueHint: "NAME",
      description: "Which service or program: its name, also that of a removed one",
    },
    organization: { type: "string", valueHint: "ORG", description: "Which organization: its slug or id" },
    action: { type: "string", valueHint: "ACTION", description: "What was done: auth.logged-in, auth.locked, …" },
    outcome: { type: "enum", options: ["success", "failure"], description: "Whether it was done, or refused" },
    since: { type: "string", valueHint: "TIME", description: `From this time on: ${when}` },
    until: { type: "string", valueHint: "TIME", description: "Up to and without this time" },
    address: { type: "string", valueHint: "IP", description: "The client's address" },
    limit: { type: "string", default: "100", valueHint: "N", description: `At most N rows, up to ${mostRows}` },
    json: jsonLines,
  },
  values: { action: { among: auditActions } },
  async run(context, args) {
    const { user, service, action, address } = args;
    const filter = {
      service,
      action,
      outcome: args.outcome,
      address,
      since: readTime("since", args.since),
      until: readTime("until", args.until),
    };
    const limit = readCount("limit", args.limit, mostRows);
    return withApp(context, async ({ audit, accounts, organizations, namesOf }) => {
      // An id is used as it is, since the log outlives the account.
      const subjectUserId = user === undefined || isId(user) ? user : await accounts.idOf(user);
      const organizationId = await organizationIdOf(args.organization, organizations);
      const rows = await audit.list({ ...filter, subjectUserId, organizationId }, limit);
      if (args.json === true) return jsonOf(rows.map(present));
      if (rows.length === limit)
        context.terminal.err(`the newest ${limit}, there may be more: see --limit and --until`);
      if (rows.length === 0) return "no entries";
      return table(
        rows,
        columnsFor(
          await namesIn(
            rows.flatMap(({ subjectUserId, actorUserId }) => [subjectUserId, actorUserId]),
            namesOf,
          ),
        ),
        context.terminal.columns,
      );
    });
  },
});

/** An id is used as it is, since the log outlives the organization. */
const organizationIdOf = async (named: string | undefined, organizations: App["organizations"]) =>
  named === undefined || isId(named) ? named : (await organizationOf(organizations, named)).id;

const present = (row: AuditRow) => ({
  id: row.id,
  at: timestamp(row.at),
  app: row.app,
  action: row.action,
  outcome: row.outcome,
  reason: row.reason,
  actor: row.actor,
  operator: row.operator,
  actor_user_id: row.actorUserId,
  user_id: row.subjectUserId,
  service: row.service,
  invitation_id: row.invitationId,
  organization_id: row.organizationId,
  session_id: row.sessionId,
  address: row.address,
  user_agent: row.userAgent,
  request_id: row.requestId,
  count: row.count,
  ends_at: timestamp(row.endsAt),
});

const columnsFor = (nameOf: (id: string) => string): readonly Column<AuditRow>[] => [
  // Seconds are left out so that a row fits one line; JSON has them.
  { head: "TIME (UTC)", of: ({ at }) => moment(at).slice(0, "2026-01-31 12:00".length) },
  ...eventColumns,
  {
    head: "ABOUT",
    least: 12,
    of: ({ action, subjectUserId, service, invitationId, organizationId }) => {
      if (subjectUserId === null) return service ?? invitationId ?? organizationId ?? "-";
      const program = programOf({ action, service });
      return program === undefined ? nameOf(subjectUserId) : `${nameOf(subjectUserId)}, ${program}`;
    },
  },
  {
    head: "BY",
    least: 10,
    of: (row) => byWhom(row, nameOf),
  },
];
