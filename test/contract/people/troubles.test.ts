import { describe, expect, test } from "bun:test";
import { appearance, auth, hour, minute, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { challenged, setUpTotp } from "../../support/factors.ts";
import { office } from "../../support/office.ts";
import { runGatehouse } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";
import { codeOf, wrongCodeOf } from "../../support/totp.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const { target, rows, people: persons } = await stage({ env: { ADMIN_APP_URL: "http://staff.example.test" } });
const { people } = await office(target);
const audit = readAudit(rows);

const troublesOf = async ({ id }: Person) => (await people.show(id)).troubles;
const firefox = { headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0" } };

/** Returns every value that is stored, of all tables. */
const stored = (): readonly unknown[] =>
  [...rows.tables().keys()].flatMap((name) => rows.all(`select * from "${name}"`).flatMap((row) => Object.values(row)));

describe("S-56 a wrong code that is right by a clock that is off", () => {
  test("lets nobody in, is answered as any other, and is kept nowhere", async () => {
    const ada = await persons.register("ada");
    const { secret } = await setUpTotp(ada);
    const code = codeOf(secret, 10);
    const [off, wrong] = [await challenged(target.url, ada), await challenged(target.url, ada)];
    const ofClock = await off.verify("totp", code);
    const ofAny = await wrong.verify("totp", wrongCodeOf(secret));
    expect(ofClock.status).toBe(401);
    expect(appearance(ofClock)).toEqual(appearance(ofAny));
    await audit.about(ada.id, 2, "auth.login-failed");
    expect(stored().filter((value) => String(value) === code)).toEqual([]);
  });

  test.each([
    ["seven minutes ahead", 14, 7 * minute],
    ["twenty minutes behind", -40, -20 * minute],
    ["an hour ahead, as in another time zone", 120, hour],
    ["eight and a half hours behind, as in another time zone", -1020, -8.5 * hour],
  ])("says how far it is off: %s", async (_, steps, offMs) => {
    const ada = await persons.register("ada");
    const { secret } = await setUpTotp(ada);
    const attempt = await challenged(target.url, ada);
    await attempt.verify("totp", codeOf(secret, steps));
    await audit.about(ada.id, 1, "auth.login-failed");
    expect(await troublesOf(ada)).toMatchObject([{ why: "wrong_codes", count: 1, offMs }]);
  });

  test("is of the past once somebody has signed in", async () => {
    const ada = await persons.register("ada");
    const { secret } = await setUpTotp(ada);
    const attempt = await challenged(target.url, ada);
    await attempt.verify("totp", codeOf(secret, 14));
    await audit.about(ada.id, 1, "auth.login-failed");
    expect(await troublesOf(ada)).toMatchObject([{ why: "wrong_codes" }]);
    rows.letPass(minute);
    expect((await attempt.verify("totp", codeOf(secret, 1))).status).toBe(200);
    expect(await troublesOf(ada)).toEqual([]);
  });
});

describe("S-57 signs of trouble are those of now", () => {
  test("a question for the second step is one only once nobody answers it, and a recovery code answers it", async () => {
    const ada = await persons.register("ada");
    const { recoveryCodes } = await setUpTotp(ada);
    const attempt = await challenged(target.url, ada);
    expect(await troublesOf(ada)).toEqual([]);
    await challenged(target.url, ada);
    expect(await troublesOf(ada)).toMatchObject([{ why: "second_step_unanswered", count: 2, codesLeft: 10 }]);
    expect((await attempt.verify("recovery_code", recoveryCodes[0] ?? "")).status).toBe(200);
    expect(await troublesOf(ada)).toEqual([]);
  });

  test("sessions that begin again and again are none where one was used, or ended on purpose", async () => {
    const ada = await persons.register("ada");
    const begin = async () => {
      const browser = createClient(target.url);
      await browser.post(auth("login"), { login: ada.email, password: ada.password }, firefox);
      return browser;
    };
    await begin();
    await begin();
    const third = await begin();
    expect(await troublesOf(ada)).toMatchObject([{ why: "unused_sessions", count: 3, device: "Linux · Firefox" }]);
    rows.letPass(2 * minute);
    expect((await third.get(auth("me"))).status).toBe(200);
    expect(await troublesOf(ada)).toEqual([]);
    for (let times = 0; times < 4; times += 1) await (await begin()).post(auth("logout"));
    expect(await troublesOf(ada)).toEqual([]);
  });

  test("wrong passwords are forgotten after a right one, and a command says what a page does", async () => {
    const ada = await persons.register("ada");
    for (let tried = 0; tried < 2; tried += 1)
      await createClient(target.url).post(auth("login"), { login: ada.email, password: "a wrong guess" });
    await audit.about(ada.id, 2, "auth.login-failed");
    const shown = await runGatehouse(["user:show", ada.email], { cwd: target.folder, env: target.env, stdin: "" });
    expect(shown.stdout.replaceAll(/\s+/g, " ")).toContain(
      "what goes wrong - 2 wrong passwords since the last sign-in",
    );
    rows.letPass(minute);
    await ada.login();
    expect(await troublesOf(ada)).toEqual([]);
  });
});
