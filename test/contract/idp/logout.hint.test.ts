import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { auth, isServed, type Person } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { titleOf } from "../../support/staff.ts";
import { form, idpEnvironment, idpKit } from "./idp.fixture.ts";
import { press } from "./pages.fixture.ts";

const bye = "https://shop.example.test/bye";
const { target, people, rows } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const shop = await kit.register("Shop", "--post-logout-uri", bye);

const signOut = ({ client }: Pick<Person, "client">, signedIn: Answer) =>
  client.get(
    `/oauth2/logout?${form({ id_token_hint: signedIn.textAt("id_token"), post_logout_redirect_uri: bye, state: "s" })}`,
  );
const withdraw = ({ client }: Person) => client.post(auth("apps/revoke"), { client_id: shop.client_id });
const leave = (signedIn: Answer) =>
  kit.call("/oauth2/revoke", { token: signedIn.textAt("refresh_token") }, { authorization: kit.basic(shop) });

describe("the ID token of a sign-out", () => {
  const later: Readonly<Record<string, (ada: Person, signedIn: Answer) => Promise<unknown>>> = {
    "of a program that was taken access from": withdraw,
    "of a program that had left before access was taken from it": async (ada, signedIn) => {
      await leave(signedIn);
      await kit.signIn(ada.client, shop);
      await withdraw(ada);
    },
    "of a session that its person has ended": (ada, signedIn) =>
      ada.client.post(auth(`sessions/${String(decodeJwt(signedIn.textAt("id_token"))["sid"])}/revoke`)),
    "of a session that is not there any more": async (_ada, signedIn) =>
      rows.run("delete from auth_sessions where id = ?", String(decodeJwt(signedIn.textAt("id_token"))["sid"])),
  };
  test.each(Object.keys(later))("O-112 %s signs nobody out without a question", async (what) => {
    const ada = await people.register("ada");
    const signedIn = await kit.signIn(ada.client, shop);
    await later[what]?.(ada, signedIn);
    const asked = await signOut(ada, signedIn);
    expect([asked.status, titleOf(asked)]).toEqual([200, "Sign out?"]);
    expect(await isServed(ada.client)).toBe(true);
    expect((await press(ada.client, asked, "Sign out")).headers.get("location")).toBe(`${bye}?state=s`);
    expect(await isServed(ada.client)).toBe(false);
  });

  test("O-112 of another browser, or of an earlier session of this one, signs nobody out without a question", async () => {
    const ada = await people.register("ada");
    const earlier = await kit.signIn(ada.client, shop);
    for (const client of [await ada.login(), await ada.login()]) {
      await kit.signIn(client, shop);
      expect(titleOf(await signOut({ client }, earlier))).toBe("Sign out?");
      expect(await isServed(client)).toBe(true);
    }
    expect((await signOut(ada, earlier)).headers.get("location")).toBe(`${bye}?state=s`);
  });

  test("O-112 of a program that has revoked its own token before is good all the same", async () => {
    const ada = await people.register("ada");
    const signedIn = await kit.signIn(ada.client, shop);
    await leave(signedIn);
    expect((await signOut(ada, signedIn)).headers.get("location")).toBe(`${bye}?state=s`);
    expect(await isServed(ada.client)).toBe(false);
  });

  test("O-112 of a stranger that was taken access from leads nobody to it, also not after the question", async () => {
    const ada = await people.register("ada");
    const stranger = await kit.register("Stranger", "--post-logout-uri", bye);
    const signedIn = await kit.signIn(ada.client, stranger);
    rows.run("update idp_clients set origin = 'registration' where id = ?", stranger.client_id);
    await ada.client.post(auth("apps/revoke"), { client_id: stranger.client_id });
    const out = await press(ada.client, await signOut(ada, signedIn), "Sign out");
    expect([titleOf(out), out.headers.get("location")]).toEqual(["You have signed out", null]);
    expect(out.text).toContain(`${bye}?state=s`);
  });
});
