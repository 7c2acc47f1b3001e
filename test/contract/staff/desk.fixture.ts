import { afterAll, expect } from "bun:test";
import { calm, createPeople, mailTo, type Person } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { openRows } from "../../support/rows.ts";
import { startMailbox } from "../../support/smtp.ts";
import { becomeStaff, createPageVisitor, type Fields, hiddenFields, type PageVisitor } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { readAudit } from "../audit/audit.fixture.ts";

/** Starts both apps on one database, as in an installation: people sign in to one, and staff look after them in the other. */
export async function openDesk(env: Readonly<Record<string, string>> = {}) {
  let refusal: Error | undefined;
  const mailbox = await startMailbox({ onRcptTo: (_address, _session, done) => done(refusal) });
  const settings = { ...calm, ...mailTo(mailbox), ...env };
  const app = await startTarget({ shared: true, env: settings });
  const own = { ...settings, DB_DATABASE: app.databasePath };
  const admin = await startTarget({ app: "admin", shared: true, migrate: false, env: own });
  const rows = openRows(app.databasePath);
  afterAll(async () => {
    rows.close();
    await admin.stop();
    await app.stop();
    await mailbox.stop();
  });
  const people = createPeople(app.url);

  /** Resolves to a member of staff who is signed in to the admin app. */
  async function staff(name: string): Promise<{ readonly person: Person; readonly desk: PageVisitor }> {
    const person = await people.register(name);
    rows.prove(person);
    becomeStaff(rows, person.email);
    const desk = createPageVisitor(admin.url);
    const signedIn = await desk.submit("/login", { login: person.email, password: person.password });
    expect(signedIn.status).toBe(303);
    return { person, desk };
  }

  return {
    app,
    admin,
    rows,
    mailbox,
    people,
    staff,
    audit: readAudit(rows),
    /** Sets the relay's answer to every later recipient; undefined: it takes the mail. */
    refuseMails: (error: Error | undefined): void => {
      refusal = error;
    },
  };
}

/** Sends the form of an act from the page of a person, and loads the page that it leads to. */
export async function act(desk: PageVisitor, id: string, name: string, fields: Fields = {}): Promise<Answer> {
  const page = `/people/${id}`;
  const { csrf = "" } = hiddenFields((await desk.get(page)).text, "/logout");
  const answer = await desk.send(`${page}/${name}`, { csrf, ...fields });
  const leadsTo = answer.headers.get("location");
  return leadsTo === null ? answer : desk.get(leadsTo);
}
