import { createClient, type Answer, type Client } from "./client.ts";
import type { Rows } from "./rows.ts";

/** The fields of a page's form. */
export type Fields = Readonly<Record<string, string>>;

export interface PageVisitor {
  readonly client: Client;
  get(path: string): Promise<Answer>;
  /** Loads a page, fills in its form and sends it, as a browser without JavaScript does. */
  submit(page: string, fields: Fields, action?: string): Promise<Answer>;
  /** Sends a form as it is. */
  send(path: string, fields: Fields): Promise<Answer>;
}

const entity: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => entity[name] ?? whole);

/** Returns the hidden fields of the form with that action on a page. */
export function hiddenFields(html: string, action: string): Fields {
  const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(
    ([, at = ""]) => unescaped(at) === action,
  );
  if (form === undefined) throw new Error(`no form leads to ${action} in ${html.slice(0, 2_000)}`);
  const fields = [...(form[2] ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescaped(value)]));
}

export function createPageVisitor(url: string, client = createClient(url)): PageVisitor {
  const send = (path: string, fields: Fields): Promise<Answer> =>
    client.request("POST", path, undefined, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: new URL(url).origin,
        "sec-fetch-site": "same-origin",
      },
    });
  return {
    client,
    get: (path) => client.get(path),
    send,
    async submit(page, fields, action = new URL(page, url).pathname) {
      const { text } = await client.get(page);
      return send(action, { ...hiddenFields(text, action), ...fields });
    },
  };
}

/** Returns the text of a page as people read it. */
export const textOf = ({ text }: Answer): string =>
  unescaped(text.replace(/<head>[\s\S]*<\/head>/, "").replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();

export const titleOf = ({ text }: Answer): string => unescaped(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(text)?.[1] ?? "");

export const becomeStaff = (rows: Rows, email: string, role = "admin"): number =>
  rows.run("update users set roles = ? where email_key = ?", role, email);

export interface StaffMember {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly visitor: PageVisitor;
}

/** Makes people through the pages of the admin app, under unique names. */
export function createStaff(url: string, rows: Rows) {
  const password = "a long walk by the sea";
  let count = 0;

  async function register(name: string): Promise<StaffMember> {
    count += 1;
    const email = `${name}${count}@example.test`;
    const visitor = createPageVisitor(url);
    const answer = await visitor.submit("/register", { email, password, display_name: name });
    if (answer.status !== 303) throw new Error(`${email} could not register: ${answer.status} ${textOf(answer)}`);
    return { id: String(rows.get("select id from users where email_key = ?", email)["id"]), email, password, visitor };
  }

  return {
    /** Makes an account without a role. */
    register,
    /** Makes an account with a role that opens the pages. */
    async add(name: string, role = "admin"): Promise<StaffMember> {
      const member = await register(name);
      becomeStaff(rows, member.email, role);
      return member;
    },
  };
}

/** Adds a row to the audit log as if the user had acted. */
export function writeAudit(
  rows: Rows,
  userId: string,
  action: string,
  more: Readonly<Record<string, string | number | null>> = {},
): void {
  const row = {
    id: Bun.randomUUIDv7(),
    at: Date.now(),
    app: "app",
    action,
    outcome: "success",
    actor: "user",
    actor_user_id: userId,
    subject_user_id: userId,
    count: 1,
    ...more,
  };
  const names = Object.keys(row);
  rows.run(
    `insert into audit_events (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
    ...Object.values(row),
  );
}
