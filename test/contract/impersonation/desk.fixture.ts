import { afterAll } from "bun:test";
import { calm, createPeople, mailTo } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { freePort } from "../../support/proxy.ts";
import { openRows } from "../../support/rows.ts";
import { noteSecret } from "../../support/seen.ts";
import { startMailbox } from "../../support/smtp.ts";
import { createStaff, type StaffMember } from "../../support/staff.ts";
import { startTarget, type TargetOptions } from "../../support/target.ts";

/** The address that the app of staff says is its own: an end leads back there. */
export const staffUrl = "https://staff.example.test";
export const reason = "Ticket 4711: sees no orders";

interface DeskOptions extends TargetOptions {
  /** The address that the app says is its own. Default: where it is. */
  readonly appUrl?: string;
  /** Whether the app of staff says where it really is, for a browser. */
  readonly isReal?: boolean;
}

/** Starts both apps on one database, with staff who may act in people's names. The end of the file stops them. */
export async function openDesk({ env = {}, appUrl, isReal = false, ...options }: DeskOptions = {}) {
  const mailbox = await startMailbox();
  const shared = { ...calm, ...mailTo(mailbox), AUTH_IMPERSONATION_ENABLED: "admin", ...env };
  const target = await startTarget({ ...options, env: shared, shared: true });
  /** The address that the app says is its own. */
  const app = appUrl ?? target.url;
  const port = isReal ? String(freePort()) : "0";
  const own = isReal ? `http://127.0.0.1:${port}` : staffUrl;
  const admin = await startTarget({
    app: "admin",
    roles: ["http"],
    env: { ...shared, DB_DATABASE: target.databasePath, APP_URL: app, ADMIN_APP_URL: own, API_HTTP_PORT: port },
    migrate: false,
    shared: true,
  });
  const rows = openRows(target.databasePath);
  afterAll(async () => {
    rows.close();
    await admin.stop();
    await target.stop();
    await mailbox.stop();
  });
  const staff = createStaff(admin.url, rows);

  /** Asks on the page of staff, and resolves to what that answers. */
  const ask = ({ visitor }: Pick<StaffMember, "visitor">, userId: string, fields = { reason }): Promise<Answer> =>
    visitor.submit(`/people/${userId}/impersonate`, fields);

  /** Returns the path in the app that an answer of staff's page leads to. */
  function wayOf(answer: Answer): string {
    const location = answer.headers.get("location") ?? "";
    if (answer.status !== 303 || !location.startsWith(`${app}/impersonate?token=`))
      throw new Error(`it leads nowhere: ${answer.status} ${location} ${answer.text.slice(0, 300)}`);
    noteSecret(target.url, new URL(location).searchParams.get("token"));
    return location.slice(app.length);
  }

  /** Opens a session in somebody's name, in a browser of its own unless one is given. */
  async function open(
    member: StaffMember,
    userId: string,
    browser: Client = createClient(target.url),
  ): Promise<Client> {
    const answer = await browser.get(wayOf(await ask(member, userId)));
    if (answer.status !== 303) throw new Error(`it was not opened: ${answer.status} ${answer.text.slice(0, 300)}`);
    return browser;
  }

  const people = createPeople(target.url);
  return {
    target,
    admin,
    rows,
    mailbox,
    people,
    staff,
    ask,
    wayOf,
    open,
    browser: () => createClient(target.url),
    /** Makes a member of staff and a person, and the browser by which the one looks at the account of the other. */
    async pair() {
      const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
      return { grace, ada, browser: await open(grace, ada.id) };
    },
    /** Returns the newest rows of the audit log about an account. */
    audit: (userId: string, action: string) =>
      rows.all(`select * from audit_events where subject_user_id = ? and action = ? order by at desc`, userId, action),
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;
