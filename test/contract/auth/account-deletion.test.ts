import { describe, expect, test } from "bun:test";
import { auth, browserWith, expectEnded, expectRefusal, isServed, nextMail, secretsOf } from "../../support/auth.ts";
import type { Answer, Client } from "../../support/client.ts";
import { approve, begin, deliver, signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";

const world = await stageWorld();
const { people, rows, mailbox } = world;

const remove = (client: Client, password?: string): Promise<Answer> =>
  client.post(auth("account/delete"), password === undefined ? undefined : { current_password: password });
const idOf = async (browser: Client) => (await browser.get(auth("me"))).textAt("user.id");

/** Returns every table with a row that holds the text in some column. */
function tablesWith(text: string): string[] {
  return [...rows.tables().keys()].filter((name) =>
    rows.all(`select * from "${name}"`).some((row) => JSON.stringify(row).toLowerCase().includes(text)),
  );
}

describe("POST /account/delete", () => {
  test("A-03 takes the account with everything that hangs on it, ends every session at once and clears the cookies", async () => {
    const ada = await people.register("ada", { display_name: "Ada the First" });
    const google = world.newcomer("lovelace");
    await signInWith(ada.client, world.google, google.account, { link: true, next: "/" });
    const elsewhere = await ada.login({ remember: true });
    const wrong = { login: ada.email, password: "wrong" };
    expect((await world.browser().post(auth("login"), wrong)).status).toBe(401);
    // One mail is on its way, and one could not be sent.
    rows.run(
      `insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, available_at, created_at, finished_at)
       values ('waiting', 'default', 'nobody', 'auth:send-notice', ?, 'pending', 0, 1, 0, 0, null),
              ('dead', 'default', 'app', 'auth:send-password-reset', ?, 'dead', 1, 1, 0, 0, 0)`,
      JSON.stringify({ notice: "password_changed", user_id: ada.id }),
      JSON.stringify({ login: ada.email.toUpperCase() }),
    );
    const secrets = [secretsOf(ada.client), secretsOf(elsewhere)];

    const answer = await remove(ada.client, ada.password);
    expect([answer.status, answer.json]).toEqual([200, { ok: true }]);
    for (const name of ["auth_access", "auth_refresh", "auth_device"]) {
      const cookie = answer.setCookies.find((each) => each.name === name);
      expect([cookie?.value, cookie?.attributes.get("max-age")]).toEqual(["", "0"]);
    }
    for (const each of secrets) await expectEnded(world.target.url, each);
    const login = await world.browser().post(auth("login"), { login: ada.email, password: ada.password });
    expectRefusal(login, 401, "invalid credentials", "invalid_credentials");
    expect(rows.count("auth_sessions where user_id = ?", ada.id)).toBe(0);
    expect(rows.count("auth_identities where user_id = ?", ada.id)).toBe(0);
    expect(rows.count("auth_grants where user_id = ?", ada.id)).toBe(0);
    for (const name of [ada.email, ada.username, "ada the first", google.email]) expect(tablesWith(name)).toEqual([]);

    const again = await world.browser().post(auth("register"), { email: ada.email, password: ada.password });
    expect(again.status).toBe(200);
    expect(again.at("user.id")).not.toBe(ada.id);
  });

  test("A-04 audit rows stay, with the id alone", async () => {
    const grace = await people.register("grace");
    const before = rows.count("audit_events where subject_user_id = ?", grace.id);
    expect((await remove(grace.client, grace.password)).status).toBe(200);
    const events = rows.all("select * from audit_events where subject_user_id = ? order by at, id", grace.id);
    expect(events.length).toBe(before + 1);
    expect(events.at(-1)).toMatchObject({
      action: "auth.user-deleted",
      outcome: "success",
      actor: "user",
      actor_user_id: grace.id,
    });
    expect(events.at(-1)?.["session_id"]).toBeString();
    for (const text of [grace.email, grace.username, "@"]) expect(JSON.stringify(events)).not.toContain(text);
  });

  test("A-02 takes the current password; without or with a wrong one nothing changes", async () => {
    const ada = await people.register("ada");
    expectRefusal(await remove(ada.client), 403, "reauthentication required", "reauthentication_required");
    expectRefusal(await remove(ada.client, "wrong"), 401, "invalid credentials", "invalid_credentials");
    expect(await isServed(ada.client)).toBe(true);
    expectRefusal(await remove(world.browser(), ada.password), 401, "unauthorized", "unauthorized");
    const elsewhere = browserWith(world.target.url, secretsOf(ada.client));
    const crossSite = await elsewhere.post(
      auth("account/delete"),
      { current_password: ada.password },
      { headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" } },
    );
    expect(crossSite.status).toBe(403);
    for (let failures = 1; failures < 5; failures += 1) await remove(ada.client, "wrong");
    expect((await remove(ada.client, ada.password)).status).toBe(423);
    expect(await isServed(ada.client)).toBe(true);
  });

  test("A-02 takes a fresh sign-in with the provider where the account has no password", async () => {
    const { account } = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.google, account);
    const id = await idOf(browser);
    rows.run("update auth_sessions set proved_at = proved_at - 601000 where user_id = ?", id);
    expectRefusal(await remove(browser), 403, "reauthentication required", "reauthentication_required");
    expect(await isServed(browser)).toBe(true);
    await signInWith(browser, world.google, account);
    expect((await remove(browser)).status).toBe(200);
    expect(rows.count("users where id = ?", id)).toBe(0);
  });

  test("A-05 tells a proven address, in the person's language, and no other", async () => {
    const ada = await people.register("ada");
    const grace = await people.register("grace");
    rows.prove(ada);
    await ada.client.post(auth("profile"), { locale: "de-AT", timezone: "Europe/Vienna" });
    await remove(grace.client, grace.password);
    await remove(ada.client, ada.password);
    const { text } = await nextMail(mailbox, ada.email, "Ihr Konto bei Gatehouse wurde gelöscht");
    expect(text).toContain("Guten Tag,");
    expect(text).toContain("(Europe/Vienna)");
    expect(
      mailbox.all().filter(({ subject, recipients }) => recipients[0] === grace.email && /deleted/.test(subject)),
    ).toEqual([]);
  });

  test("another account in the same browser stays known to it", async () => {
    const browser = world.browser();
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    for (const { email, password } of [ada, grace]) await browser.post(auth("login"), { login: email, password });
    const both = browser.cookie("auth_device") ?? "";
    await remove(browser, grace.password);
    const left = browser.cookie("auth_device") ?? "";
    expect([both.split("~").length, left.split("~").length]).toEqual([3, 2]);
  });
});

describe("A-06 at the same moment", () => {
  test("two deletions: one is done, the other finds nobody", async () => {
    const ada = await people.register("ada");
    const tabs = [ada.client, ada.client.copy(), await ada.login()];
    const answers = await Promise.all(tabs.map((tab) => remove(tab, ada.password)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    expect(rows.count("audit_events where action = 'auth.user-deleted' and subject_user_id = ?", ada.id)).toBe(1);
  });

  test("whatever else the account is asked for: nothing of it is left, and nothing fails", async () => {
    for (let round = 0; round < 6; round += 1) {
      const ada = await people.register("ada");
      const { client, email, password } = ada;
      const other = await ada.login();
      const tabs = Array.from({ length: 6 }, () => other.copy());
      const [one, two, three, four, five, six] = tabs;
      if (!one || !two || !three || !four || !five || !six) throw new Error("no tabs");
      const { account } = world.newcomer("lovelace");
      const linking = await approve(world.google, await begin(one, world.google, { link: true, next: "/" }), account);
      const answers = await Promise.all([
        world.browser().post(auth("login"), { login: email, password }),
        one.post(auth("refresh")),
        deliver(two, linking),
        remove(client, password),
        three.post(auth("profile"), { display_name: "Somebody", username: `${ada.username}.new` }),
        four.post(auth("change-password"), { current_password: password, new_password: "a walk in the hills" }),
        five.get("/api/v1/auth/oauth/github/link/start"),
        six.post(auth("email-verification/request")),
        world.browser().post(auth("password-reset/request"), { login: email }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      if (answers[3]?.status !== 200) continue;
      for (const table of ["auth_sessions", "auth_grants", "auth_identities"])
        expect(rows.count(`${table} where user_id = ?`, ada.id)).toBe(0);
      expect(rows.count("users where id = ?", ada.id)).toBe(0);
    }
  });
});
