import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, minute, nextMail, type Person } from "../../support/auth.ts";
import { askBrowser, chromiumMissing, showOn } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { startTarget } from "../../support/target.ts";
import type { StaffMember } from "../../support/staff.ts";
import type { Visitor } from "../../support/visitor.ts";
import { stageTroubles } from "./troubles.fixture.ts";
import { visitAsStaff } from "./visitor.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const world = await stageTroubles();
const { admin, causes, mailbox, rows, target } = world;
afterAll(world.stop);

interface Answer {
  readonly title: string;
  readonly reasons: readonly string[];
  /** The buttons beside the reasons, the first of which is offered first. */
  readonly remedies: readonly string[];
}

describe.skipIf(chromiumMissing !== undefined)(
  `whoever is called by one of ten Adas finds by one search, and reads at one look${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    let support: StaffMember;
    let boss: StaffMember;
    beforeAll(async () => {
      support = await world.staff("support", "support");
      boss = await world.staff("boss", "admin");
      visitor = await visitAsStaff(admin.url, support);
    }, 120_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    async function picture(name: string): Promise<void> {
      if (pictures === undefined) return;
      for (const width of [1280, 390])
        for (const scheme of ["light", "dark"] as const) {
          await showOn(visitor.tab, width, scheme);
          await visitor.ask("Promise.all(document.getAnimations().map(({ finished }) => finished))");
          const height = Number(await visitor.ask("document.documentElement.scrollHeight"));
          const size = { width, height: Math.min(height, 2_000), deviceScaleFactor: 1, mobile: false };
          await askBrowser(visitor.tab, "Emulation.setDeviceMetricsOverride", size);
          await Bun.write(join(pictures, `${name}-${width}-${scheme}.png`), await visitor.tab.screenshot());
        }
      await showOn(visitor.tab, 1280, "light");
    }

    /** Searches for somebody by the address that they say on the phone, and reads the first box of their page. */
    async function look({ id, email }: Person, name: string): Promise<Answer> {
      await visitor.open(`${admin.url}/people`, "People");
      await visitor.isOn("search");
      await visitor.tab.type(email);
      await visitor.tab.press("Enter");
      await visitor.isAt(`/people/${id}`);
      // The browser is at an address before it has read the page.
      await visitor.until("the page", async () => (await visitor.ask("document.readyState")) === "complete");
      await picture(`ada-${name}`);
      const read = await visitor.ask(`JSON.stringify({
        title: document.querySelector(".answer h2").textContent,
        reasons: [...document.querySelectorAll(".answer .hindrances li")].map(({ innerText }) => innerText.replaceAll(/\\s+/g, " ")),
        remedies: [...document.querySelectorAll(".answer .hindrances button")].map(({ textContent }) => textContent),
      })`);
      const answer: Answer = JSON.parse(String(read));
      return answer;
    }

    test("S-55 Ada 1: who is locked, until when, and unlocks her", async () => {
      const ada = await causes.locked();
      const { title, reasons, remedies } = await look(ada, "locked");
      expect(title).toBe("Can’t sign in now");
      expect(reasons).toEqual([
        expect.stringMatching(/^Locked until .*\d\d:\d\d after 5 wrong passwords, the last one from 198\.51\.100\./),
      ]);
      expect(remedies).toEqual(["Unlock"]);
      await visitor.press("Unlock");
      await visitor.says("Unlocked: the wrong passwords until now are forgotten.");
      expect(await ada.login()).toBeDefined();
    });

    test("S-55 Ada 2: who is disabled, since when, and that an admin can enable her", async () => {
      const { title, reasons, remedies } = await look(await causes.disabledBy(boss), "disabled");
      expect(title).toBe("Can’t sign in now");
      expect(reasons).toEqual([expect.stringMatching(/^Disabled: .* Enable: an admin can do this\.$/)]);
      expect(remedies).toEqual([]);
      await visitor.says("Account disabled");
    });

    test("S-55 Ada 4: who types wrong passwords, and mails her a link for a new one", async () => {
      const ada = await causes.wrongPasswords();
      const { title, reasons, remedies } = await look(ada, "wrong-passwords");
      expect(title).toBe("Can sign in, but types wrong passwords");
      expect(reasons).toEqual([
        expect.stringMatching(/^2 wrong passwords since the last sign-in, the last one at .* from 198\.51\.100\.\d+\./),
      ]);
      expect(remedies).toEqual(["Mail a reset link"]);
      await visitor.press("Mail a reset link");
      await visitor.says("A mail with a link for a new password is on its way.");
      await nextMail(mailbox, ada.email, "Reset your password");
    });

    test("S-55 Ada 5: whose phone has a wrong clock, and by how much, and resets nothing", async () => {
      const ada = await causes.clockOff();
      const { title, reasons, remedies } = await look(ada, "clock");
      expect(title).toBe("Can sign in, but the clock of the phone is off");
      expect(reasons).toEqual([
        expect.stringMatching(
          /^2 wrong codes .*right by a clock that is 7 minutes ahead.* let the phone set its clock/,
        ),
      ]);
      expect(remedies).toEqual([]);
    });

    test("S-55 Ada 6: whose browser keeps no cookies", async () => {
      const { title, reasons, remedies } = await look(await causes.losesCookies(), "cookies");
      expect(title).toBe("Signs in, but does not stay signed in");
      expect(reasons).toEqual([
        expect.stringMatching(
          /^Signed in 4 times since .* with Linux · Firefox, and no session was used .* allow cookies/,
        ),
      ]);
      expect(remedies).toEqual([]);
    });

    test("S-55 Ada 7: who has lost the phone, and resets the second step once she is known to be her", async () => {
      const ada = await causes.lostPhone();
      const { title, reasons, remedies } = await look(ada, "lost-phone");
      expect(title).toBe("Stops at the second step");
      expect(reasons).toEqual([
        expect.stringMatching(
          /^The password was right 2 times, .* 10 recovery codes left\..* Ask for a recovery code first\./,
        ),
      ]);
      expect(remedies).toEqual(["Reset the second step"]);
      await visitor.press("Reset the second step");
      await visitor.says("The second step is gone");
      expect(await ada.login()).toBeDefined();
    });

    test("S-55 Ada 8: whose mailbox refuses mails, in the words of the relay, and is offered no link", async () => {
      const { title, reasons, remedies } = await look(await causes.refusedMailbox(), "mailbox");
      expect(title).toBe("Can sign in, but gets no mail");
      expect(reasons).toEqual([
        expect.stringMatching(
          /^The mailbox does not take mails .*550 5\.1\.1 no such mailbox\. Ask for another address/,
        ),
      ]);
      expect(remedies).toEqual([]);
      await visitor.says("given up, as the mailbox does not take it");
    });

    test("S-55 Ada 9: whom an organization signs in by its own provider alone", async () => {
      const { title, reasons, remedies } = await look(await causes.demandedProvider(), "provider");
      expect(title).toMatch(/^Signs in by Acme \d+ Inc alone$/);
      expect(reasons).toEqual([
        expect.stringMatching(/^Signs in by the provider of Acme \d+ Inc alone, which demands it/),
      ]);
      expect(remedies).toEqual([]);
    });

    test("S-55 Ada 10: whose office has used up its tries, and from where she gets in", async () => {
      const ada = await causes.usedUpAddress();
      const { title, reasons, remedies } = await look(ada, "office");
      expect(title).toBe("Can’t sign in from 203.0.113.7 now");
      expect(reasons).toEqual([
        expect.stringMatching(
          /^No sign-ins from 203\.0\.113\.7 until .*too many wrong passwords came from there, over all accounts\. From another network/,
        ),
      ]);
      expect(remedies).toEqual([]);
      expect(await ada.login()).toBeDefined();
    });

    test("S-55 Ada 3: whose address is not proven, and mails the link again", async () => {
      const env = { ...target.env, AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" };
      const [strict, strictAdmin] = await Promise.all([
        startTarget({ shared: true, migrate: false, env }),
        startTarget({
          app: "admin",
          shared: true,
          migrate: false,
          env: { ...env, APP_URL: "http://desk.example.test" },
        }),
      ]);
      try {
        const email = "ada.unproven@example.test";
        const password = "a long walk by the sea";
        await createClient(strict.url).post(auth("register"), { username: "unproven", email, password });
        await nextMail(mailbox, email, "Verify your email");
        const person = { id: String(rows.get("select id from users where email_key = ?", email)["id"]), email };
        await visitor.open(`${strictAdmin.url}/people?search=${encodeURIComponent(email)}`, "unproven");
        await picture("ada-unproven");
        await visitor.says("Can’t sign in now");
        await visitor.says("The email address is not proven, and has to be before the first sign-in.");
        // A request within five minutes would join the mail of the registration.
        rows.letPass(6 * minute);
        await visitor.press("Mail the link again");
        await visitor.says("A mail with the link is on its way");
        await nextMail(mailbox, email, "Verify your email");
        expect(world.audit.all("subject_user_id = ? and action = 'auth.verification-sent'", person.id)).toMatchObject([
          { actor: "staff", actor_user_id: support.id },
        ]);
      } finally {
        await Promise.all([strict.stop(), strictAdmin.stop()]);
      }
    });
  },
);
