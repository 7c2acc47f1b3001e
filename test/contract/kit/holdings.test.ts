import { afterAll, describe, expect, test } from "bun:test";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { bearer } from "../../support/native.ts";
import { noteSecret } from "../../support/seen.ts";
import { createPageVisitor, hiddenFields, textOf, titleOf, type PageVisitor } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { idpEnvironment, idpKit } from "../idp/idp.fixture.ts";
import { location, serverKit } from "./kit.fixture.ts";

// What was let in by one kind of pages is ended by the other: two apps on one database.
const env = { ...calm, ...idpEnvironment, AUTH_PERSONAL_TOKENS_ENABLED: "true" };
const app = await startTarget({ shared: true, env });
const written = await startTarget({
  shared: true,
  migrate: false,
  env: { ...env, ...serverKit, DB_DATABASE: app.databasePath },
});
afterAll(() => Promise.all([written.stop(), app.stop()]));
const people = createPeople(app.url);
const kit = idpKit(app);

/** Signs somebody in on the pages that the server writes. */
async function visit({ email, password }: Person): Promise<PageVisitor> {
  const visitor = createPageVisitor(written.url);
  expect(location(await visitor.submit("/login", { login: email, password }))).toBe("/account");
  return visitor;
}

describe("U-40 where the server writes the account, a person ends what others hold for them", () => {
  test("an app: its page says what it may see, asks once, and the app is signed out", async () => {
    const [shop, other] = [await kit.register("Shop"), await kit.register("Other")];
    const ada = await people.register("ada");
    const tokens = await kit.signIn(ada.client, shop);
    await kit.signIn(ada.client, other);
    const visitor = await visit(ada);
    const page = textOf(await visitor.get("/account"));
    expect(page).toContain("You have let 2 apps in by this account.");
    const path = `/account/apps/end?app=${encodeURIComponent(shop.client_id)}`;
    expect((await visitor.get("/account")).text).toContain(`href="${path}" aria-label="End access of Shop"`);
    const asked = await visitor.get(path);
    expect(titleOf(asked)).toBe("End access of Shop?");
    expect(await kit.isActive(other, tokens.textAt("access_token"))).toBe(true);
    const ended = await visitor.submit(path, {}, "/account/apps/end");
    expect(location(ended)).toBe("/account");
    expect(textOf(await visitor.get("/account"))).toContain("Shop has no access any more.");
    expect(await kit.isActive(other, tokens.textAt("access_token"))).toBe(false);
    expect((await kit.refresh(shop, tokens.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
    expect(textOf(await visitor.get("/account"))).toContain("You have let one app in by this account.");
    expect(location(await visitor.get(path))).toBe("/account");
  });

  test("a token of a script: it is refused at once, and nobody ends one of somebody else", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const made = await ada.client.post(auth("tokens"), { name: "backup script" });
    noteSecret(app.url, made.at("token"));
    const [token, id] = [made.textAt("token"), made.textAt("personal_token.id")];
    const [own, foreign] = [await visit(ada), await visit(grace)];
    const path = `/account/tokens/${id}/revoke`;
    const isGood = async (): Promise<boolean> =>
      (await createClient(app.url).get(auth("verify"), bearer({ access: token }))).status === 204;
    expect(location(await foreign.get(path))).toBe("/account");
    const { csrf = "" } = hiddenFields((await foreign.get("/account")).text, "/logout");
    expect(location(await foreign.send(path, { csrf }))).toBe("/account");
    expect(textOf(await own.get("/account"))).toContain("backup script");
    expect(titleOf(await own.get(path))).toBe("Revoke “backup script”?");
    expect(await isGood()).toBe(true);
    expect(location(await own.submit(path, {}))).toBe("/account");
    expect(await isGood()).toBe(false);
    expect(textOf(await own.get("/account"))).toContain("“backup script” is revoked.");
  });
});
