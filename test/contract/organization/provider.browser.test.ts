import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { arrives, askBrowser, browserMissing, openTab, startFront, type Front } from "../../support/chromium.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { stageCompanies } from "./provider.fixture.ts";

const { host } = new URL(publicUrl);
const world = await stageCompanies();
const { account, acme: provider, company, employee, target } = world;

describe.skipIf(browserMissing !== undefined)(
  `the provider of an organization on the sign-in page in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let front: Front;
    let tab: Bun.WebView;
    let visitor: Visitor;
    beforeAll(async () => {
      front = await startFront(host, target.port);
      tab = openTab({ [host]: front });
      visitor = await createVisitor(tab);
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await front.stop();
    });

    const login = `${publicUrl}/login?next=%2Faccount`;
    const isAtAccount = () => arrives(tab, ({ origin, pathname }) => origin === publicUrl && pathname === "/account");

    test("a password leads on to it, where the organization demands it", async () => {
      const acme = await company({ enforced: true });
      const bob = await employee(acme);
      await visitor.open(login, "Sign in");
      await visitor.fill("login", bob.email);
      await visitor.fill("password", bob.password);
      await visitor.press("Sign in");
      await signInAtProvider(tab, provider, account(bob.email));
      await isAtAccount();
      await visitor.says(bob.email);
      await askBrowser(tab, "Network.clearBrowserCookies");
    }, 120_000);

    test("it is offered for an address below the domain, before a password is asked for", async () => {
      const acme = await company();
      const name = (await acme.owner.client.get(`/api/v1/auth/organizations/${acme.id}`)).textAt("organization.name");
      await visitor.open(login, "Sign in");
      await visitor.fill("login", `new@${acme.domain}`);
      await visitor.fill("password", "x");
      await visitor.says(name);
      await visitor.expectNoBarriers("with the provider of an organization");
      await visitor.fill("login", "new@elsewhere.test");
      await visitor.fill("password", "x");
      await visitor.until("no offer", async () => !(await visitor.text()).includes(name));
      await visitor.fill("login", `new@${acme.domain}`);
      await visitor.fill("password", "x");
      await visitor.press(`Continue with ${name}`);
      await signInAtProvider(tab, provider, account(`new@${acme.domain}`));
      await isAtAccount();
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);
  },
);
