import type { App } from "../../../app/index.ts";
import { presentSummary } from "../../../app/presented.ts";
import { isName } from "../../../core/naming.ts";
import { moment, table, type Column } from "../../terminal/columns.ts";
import { command, readCount, UsageError } from "../../command.ts";
import { jsonLines, jsonOf } from "../../terminal/json.ts";
import { withApp } from "../../app/with.app.ts";

type Person = Awaited<ReturnType<App["people"]["list"]>>["people"][number];

const mostListed = 10_000;
const pageSize = 100;
/** The most pages to read. Pages may be empty if few of many accounts fit the filter. */
const mostPages = 10_000;

const states = ["disabled", "locked", "unverified"] as const;

export const list = command({
  args: {
    search: {
      type: "string",
      valueHint: "TEXT",
      description: "The beginning of an address, a user name or a display name; or an id",
    },
    disabled: { type: "boolean", description: "Only disabled accounts" },
    locked: { type: "boolean", description: "Only accounts that wrong passwords have locked" },
    unverified: { type: "boolean", description: "Only accounts whose address is not proven" },
    role: { type: "string", valueHint: "ROLE", description: "Only accounts with this role" },
    limit: { type: "string", default: "50", valueHint: "N", description: `At most N, up to ${mostListed}` },
    json: jsonLines,
  },
  async run(context, args) {
    const chosen = states.filter((state) => args[state] === true);
    if (chosen.length > 1) throw new UsageError("give one of --disabled, --locked and --unverified");
    const { search, role } = args;
    if (role !== undefined && !isName("role", role)) throw new UsageError("--role takes the name of one role");
    const limit = readCount("limit", args.limit, mostListed);
    return withApp(context, async ({ people }) => {
      const { found, isWhole } = await collect(people, { search, role, state: chosen[0] }, limit);
      if (args.json === true) return jsonOf(found.map(presentSummary));
      if (!isWhole) context.terminal.err(`the first ${limit}, there may be more: see --limit`);
      return found.length === 0 ? "no accounts" : table(found, columns, context.terminal.columns);
    });
  },
});

type Filter = Omit<Parameters<App["people"]["list"]>[0], "cursor" | "limit">;

async function collect(people: App["people"], filter: Filter, limit: number) {
  const found: Person[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { people: some, next } = await people.list({
      ...filter,
      cursor,
      limit: Math.min(pageSize, limit - found.length),
    });
    found.push(...some);
    cursor = next;
    if (cursor === undefined || found.length >= limit) break;
  }
  return { found, isWhole: cursor === undefined };
}

function stateOf({ active, lockedUntil, emailVerified }: Person): string {
  if (!active) return "disabled";
  if (lockedUntil !== undefined) return `locked until ${moment(lockedUntil).slice(11, 16)}`;
  return emailVerified ? "active" : "unverified";
}

const columns: readonly Column<Person>[] = [
  { head: "ADDRESS", of: ({ email }) => email, least: 16 },
  // A user name that equals the address was not chosen.
  { head: "NAME", of: ({ username, email }) => (username === email ? "-" : username), least: 10 },
  { head: "STATE", of: stateOf },
  { head: "ROLES", of: ({ roles }) => roles.join(","), least: 8 },
  {
    head: "LOGIN (UTC)",
    of: ({ lastLoginAt }) => (lastLoginAt === null ? "never" : moment(lastLoginAt).slice(0, "2026-01-31".length)),
  },
];
