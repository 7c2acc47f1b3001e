import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, createPeople, type Person } from "../../support/auth.ts";
import { expectCounted } from "../../support/counted.ts";
import { giveAuthenticator, challengedAt, verify } from "../../support/factor.ts";
import { stage } from "../../support/stage.ts";
import { createStaff, textOf, writeAudit, type StaffMember } from "../../support/staff.ts";
import { startTarget, type Target } from "../../support/target.ts";

// No worker sends a mail meanwhile, and no scheduler looks at the app.
const { target, rows } = await stage({ app: "admin", roles: ["http"] });
const staff = createStaff(target.url, rows);

let grace: StaffMember;
let app: Target;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  grace = await staff.add("grace");
  app = await startTarget({ app: "app", env: { DB_DATABASE: target.databasePath }, roles: ["http"], migrate: false });
  people = createPeople(app.url);
});
afterAll(() => app.stop());

const page = async (path = "/") => {
  const answer = await grace.visitor.get(path);
  expect(answer.status).toBe(200);
  return answer;
};

/** Resolves to the numbers of the first card, by their names. */
async function numbers() {
  const text = textOf(await page());
  const read = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? "not found";
  return {
    accounts: read(/Accounts ([\d,]+) /),
    madeToday: read(/([\d,]+) made today/),
    madeLately: read(/made today, ([\d,]+) in the last 30 days/),
    activeToday: read(/People active today ([\d,]+) since midnight in UTC/),
    activeLately: read(/People active in the last 30 days ([\d,]+) /),
    proven: read(/Accounts with a second factor (\d+ %) /),
  };
}
const daysAgo = (days: number): number => Date.now() - days * 86_400_000;
/** Lets the person have been there at that time for the last time. */
const letBeSeen = ({ id }: Pick<Person, "id">, at: number): number =>
  rows.run("update users set last_seen_at = ? where id = ?", at, id);

describe("on the first day, the dashboard", () => {
  test("counts the one who looks at it, and names what there is nothing of yet with what will be there", async () => {
    expect(await numbers()).toEqual({
      accounts: "1",
      madeToday: "1",
      madeLately: "1",
      activeToday: "1",
      activeLately: "1",
      proven: "0 %",
    });
    const answer = await page();
    const text = textOf(answer);
    expect(text).toContain("no account has one yet");
    expect(text).toContain(
      "Nothing in this time Refused sign-ins None was refused. Here will be how many are, and why. Locks Nobody was locked out.",
    );
    for (const empty of [
      "Mails No mail was sent.",
      "Jobs None waited, and none failed.",
      "Readiness Nobody has looked yet.",
    ])
      expect(text).toContain(empty);
    // What is drawn is drawn of something: no grey bars, and no picture without a bar.
    for (const [chart] of answer.text.matchAll(/<svg viewBox="0 0 352 136"[\s\S]*?<\/svg>/g)) {
      expect(chart).toContain("<rect");
      expect(
        chart
          .match(/>[\d,]+</g)
          ?.map((tick) => tick.slice(1, -1))
          .slice(0, 3),
      ).toEqual(["0", "1", "2"]);
    }
    expect(text).not.toContain("Not looked at");
  });

  test("has one primary act, which finds people", async () => {
    const answer = await page();
    expect(answer.text.match(/class="primary"/g)).toHaveLength(1);
    expect(answer.text).toMatch(/<form class="find beside" method="get" action="\/people" role="search"/);
    expect(textOf(await page("/people?search=grace"))).toContain(grace.email);
  });

  test("says what each number means", async () => {
    const text = textOf(await page());
    for (const words of ["What is counted", "Deleted accounts do not count.", "Who comes twenty times a day is one"])
      expect(text).toContain(words);
  });
});

describe("the numbers of the dashboard", () => {
  test("follow what happens to accounts, in both apps", async () => {
    const before = await numbers();
    expect(before.accounts).toBe("1");
    const [ada, edith, mary] = await Promise.all(["ada", "edith", "mary"].map((name) => people.register(name)));
    if (ada === undefined || edith === undefined || mary === undefined) throw new Error("nobody registered");
    expect(await numbers()).toMatchObject({ accounts: "4", madeToday: "4", activeToday: "4" });
    letBeSeen(mary, daysAgo(29));
    letBeSeen(edith, daysAgo(31));
    expect(await numbers()).toMatchObject({ activeToday: "2", activeLately: "3" });
    // One person who comes twenty times, by two browsers, is one.
    const browser = await edith.login();
    for (let times = 0; times < 20; times += 1) await (times % 2 === 0 ? browser : edith.client).get(auth("me"));
    await browser.post(auth("refresh"));
    expect(await numbers()).toMatchObject({ activeToday: "3", activeLately: "4" });
    const authenticator = giveAuthenticator(rows, ada);
    expect(await numbers()).toMatchObject({ proven: "25 %" });
    expect(textOf(await page())).toContain("1 account: 1 with an authenticator app");
    expect((await verify(await challengedAt(app.url, ada), authenticator.code())).status).toBe(200);
    expectCounted(rows);
    await grace.visitor.submit(`/people/${ada.id}/delete`, { username: ada.username });
    expect(rows.count("users where id = ?", ada.id)).toBe(0);
    expect(await numbers()).toMatchObject({ accounts: "3", madeToday: "3", activeToday: "2", proven: "0 %" });
    expectCounted(rows);
  });

  test("of a day are in its bar, and in the table below it", async () => {
    const text = textOf(await page());
    const today = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" }).format(
      Date.now(),
    );
    expect(text).toMatch(new RegExp(`As a table : Active people by day From Active people .* ${today} 2 `));
    expect(text).toMatch(new RegExp(`As a table : New accounts by day From New accounts .* ${today} 3 `));
  });

  test("before which nobody counted are shown with the day on which that began", async () => {
    const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
    rows.run("insert into account_counts values ('since', ?, 0, 1)", today - 2 * 86_400_000);
    expect(textOf(await page())).toMatch(
      /Counted since \d+ [A-Z][a-z]+ ?\. Of earlier days only people show who have not come since\./,
    );
    rows.run("delete from account_counts where kind = 'since'");
  });
});

test("the dashboard says by which ways people signed in, with a link to those sign-ins", async () => {
  const maud = await people.register("maud");
  await maud.login();
  const write = (reason: string | null, count: number): void =>
    writeAudit(rows, maud.id, "auth.logged-in", { reason, count });
  const byPassword = rows.count("audit_events where action = 'auth.logged-in' and reason = 'by_password'");
  expect(byPassword).toBeGreaterThan(1);
  write("by_passkey", 400 - byPassword);
  write("github", 90);
  write("organization", 10);
  write("acme", 500);
  write(null, 3);
  const answer = await page("/?span=30d");
  expect(textOf(answer)).toContain(
    `By way of sign-in acme 500 50 % Passkey ${400 - byPassword} ${Math.round((400 - byPassword) / 10)} % GitHub 90 9 % `,
  );
  expect(textOf(answer)).toContain("Provider of an organization 10 1 %");
  expect(textOf(answer)).toContain("Of 3 sign-ins an earlier release did not write down the way.");
  const link = /href="([^"]+)">GitHub</.exec(answer.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(textOf(await page(link))).toContain("Signed in: by GitHub (90 times)");
  // Who may not read the log is told the same, and led nowhere.
  const ada = await staff.register("ada");
  rows.run("update users set roles = 'support' where id = ?", ada.id);
  const shown = await ada.visitor.get("/?span=30d");
  expect(textOf(shown)).toContain(" GitHub 90 9 % ");
  expect(shown.text).not.toContain('href="/audit');
});

test("the dashboard says of mails what became of those that were not sent", async () => {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const add = (state: string, mails: number): number =>
    rows.run("insert into mail_hours (hour, state, mails) values (?, ?, ?)", hour, state, mails);
  rows.run("delete from mail_hours");
  add("sent", 12);
  expect(textOf(await page())).toMatch(/Mails 12 mails sent \d/);
  add("withheld", 3);
  add("refused", 1);
  add("gave_up", 1);
  expect(textOf(await page())).toContain("Mails 12 mails sent, 3 held back, 1 refused by the relay, 1 given up");
});
