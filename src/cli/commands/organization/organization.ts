import { harmless, moment, table, type Column } from "../../terminal/columns.ts";
import { command, readCount, readRoles, UsageError } from "../../command.ts";
import { jsonLine, jsonLines, jsonObject, jsonOf } from "../../terminal/json.ts";
import { login } from "../../usage/login.option.ts";
import {
  giving,
  operator,
  org,
  organizationOf,
  presentMember,
  presentOrganization,
  withOrganizations,
  type Organization,
  type Organizations,
} from "./with.organizations.ts";

const mostListed = 10_000;
const pageSize = 100;

async function collect(organizations: Organizations, search: string | undefined, limit: number) {
  const found: Organization[] = [];
  let cursor: string | undefined;
  do {
    const page = await organizations.list({ search, cursor, limit: Math.min(pageSize, limit - found.length) });
    found.push(...page.organizations);
    cursor = page.next;
  } while (cursor !== undefined && found.length < limit);
  return { found, isWhole: cursor === undefined };
}

export const list = command({
  args: {
    search: { type: "string", valueHint: "TEXT", description: "The beginning of a name or a slug; or an id" },
    limit: { type: "string", default: "50", valueHint: "N", description: `At most N, up to ${mostListed}` },
    json: jsonLines,
  },
  async run(context, args) {
    const limit = readCount("limit", args.limit, mostListed);
    return withOrganizations(context, async (organizations) => {
      const { found, isWhole } = await collect(organizations, args.search, limit);
      if (args.json === true) return jsonOf(found.map(presentOrganization));
      if (!isWhole) context.terminal.err(`the first ${limit}, there may be more: see --limit`);
      return found.length === 0 ? "no organizations" : table(found, columns, context.terminal.columns);
    });
  },
});

export const create = command({
  args: {
    name: { type: "positional", required: true, description: "Name, as people read it: Acme Inc" },
    owner: { type: "string", required: true, valueHint: "LOGIN", description: "Whose it is: name, address or id" },
    slug: { type: "string", valueHint: "SLUG", description: "For addresses. Default: made of the name" },
    json: jsonObject,
  },
  async run(context, args) {
    return withOrganizations(context, async ({ acts, find }, { accounts }) => {
      const userId = await accounts.idOf(args.owner);
      const asked = { name: args.name, slug: args.slug, userId };
      const made = await find(await giving(() => acts.organizations.create(asked, operator)));
      if (args.json === true) return jsonLine(presentOrganization(made));
      return harmless(`made ${made.name}: its slug is ${made.slug}, its id ${made.id}`);
    });
  },
});

export const add = command({
  args: {
    org,
    login,
    role: { type: "string", valueHint: "ROLE", description: "What they are in it; may be repeated. Default: member" },
    json: jsonObject,
  },
  repeated: ["role"],
  async run(context, args, every) {
    const given = every("role").flatMap((text) => readRoles("role", text));
    const roles = given.length === 0 ? ["member"] : given;
    return withOrganizations(context, async (organizations, { accounts }) => {
      const { acts } = organizations;
      const { id, name } = await organizationOf(organizations, args.org);
      const userId = await accounts.idOf(args.login);
      await giving(() => acts.members.add(operator, id, userId, roles));
      const member = await acts.members.find(id, userId);
      if (args.json === true) return jsonLine(presentMember(member));
      return harmless(`${member.username} is in ${name} now, as ${roles.join(", ")}`);
    });
  },
});

export const roles = command({
  args: {
    org,
    login,
    add: { type: "string", valueHint: "ROLES", description: "Roles to give, with commas between them: owner,billing" },
    remove: { type: "string", valueHint: "ROLES", description: "Roles to take, the same way" },
    json: jsonObject,
  },
  async run(context, args) {
    const [added, removed] = [readRoles("add", args.add), readRoles("remove", args.remove)];
    if (added.some((name) => removed.includes(name))) throw new UsageError("a role can't be in --add and in --remove");
    return withOrganizations(context, async (organizations, { accounts }) => {
      const { acts } = organizations;
      const { id } = await organizationOf(organizations, args.org);
      const member = await acts.members.find(id, await accounts.idOf(args.login));
      const held = member.roles.split(" ");
      const wanted = [...new Set([...held, ...added])].filter((name) => !removed.includes(name));
      const isChange = added.length + removed.length > 0;
      const after = isChange ? await acts.members.setRoles(operator, id, member.userId, wanted) : member;
      return args.json === true ? jsonLine({ roles: after.roles.split(" ") }) : after.roles;
    });
  },
});

export const remove = command({
  args: { org, login, json: jsonObject },
  async run(context, args) {
    return withOrganizations(context, async (organizations, { accounts }) => {
      const { id, name } = await organizationOf(organizations, args.org);
      const userId = await accounts.idOf(args.login);
      await organizations.acts.members.remove(operator, id, userId);
      if (args.json === true) return jsonLine({ id, user_id: userId, removed: true });
      return harmless(`removed from ${name}: no session of theirs acts for it any more`);
    });
  },
});

export const erase = command({
  args: { org, force: { type: "boolean", description: "Don't ask" }, json: jsonObject },
  async run(context, args) {
    const { ask } = context.terminal;
    if (args.force !== true && ask === undefined)
      throw new UsageError("nobody is there to be asked: give --force to delete all the same");
    return withOrganizations(context, async (organizations) => {
      const { id, slug, name, members } = await organizationOf(organizations, args.org);
      const whom = harmless(`${name} with ${members} ${members === 1 ? "member" : "members"}`);
      const question = `Delete ${whom} for good? Type the slug ${slug} to go on: `;
      if (args.force !== true && (await ask?.(question))?.trim() !== slug) throw new Error("not deleted");
      await organizations.acts.organizations.remove(operator, id);
      return args.json === true ? jsonLine({ id, deleted: true }) : `deleted ${whom}; the accounts stay`;
    });
  },
});

const columns: readonly Column<Organization>[] = [
  { head: "SLUG", of: ({ slug }) => slug, least: 12 },
  { head: "NAME", of: ({ name }) => name, least: 12 },
  { head: "MEMBERS", of: ({ members }) => String(members) },
  { head: "ACTIVE OWNERS", of: ({ activeOwners }) => (activeOwners === 0 ? "none" : String(activeOwners)) },
  { head: "CREATED (UTC)", of: ({ createdAt }) => moment(createdAt).slice(0, "2026-01-31".length) },
];
