import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { auth } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { textOf } from "../../support/staff.ts";
import { openDesk } from "../staff/desk.fixture.ts";
import { asOperator, createOperator, lighthouseSecret, recording } from "./lighthouse.fixture.ts";

const { app, admin, people, staff } = await openDesk(recording);
const { desk } = await staff("grace");
const [ofApp, ofBoth] = [createOperator(app.url), createOperator(admin.url)];
const fileOfApp = join(dirname(app.databasePath), "lighthouse-app.db");

test("S-25 the admin app shows the inspects of both apps, the app its own alone", async () => {
  const ada = await people.register("ada");
  await createClient(app.url).post(auth("login"), { login: ada.email, password: "not the right one" });
  const failed = await ofApp.find(`user=${ada.id}&name=login`);
  await desk.get(`/people/${ada.id}`);
  const page = await desk.get(`/people/${ada.id}`);
  expect(page.text).toContain(`<a href="/lighthouse/inspects/${failed.id}">POST /api/v1/auth/login</a>`);
  expect(page.text).toContain(`<a href="/lighthouse?user=${ada.id}">`);
  expect(textOf(page)).toContain("wrong_password");

  expect(await ofBoth.one(failed.id)).toEqual(failed);
  expect(await ofBoth.one(failed.trace_id)).toEqual(failed);
  // The mail about her address is the last record about her.
  await ofApp.find(`user=${ada.id}&name=auth:send-email-verification`);
  const listed = await ofBoth.list(`user=${ada.id}&app=app&limit=200`);
  expect(listed).toEqual(await ofApp.list(`user=${ada.id}&limit=200`));
  expect(await ofBoth.list(`user=${ada.id}&app=admin`)).toEqual([]);

  const ofAdmin = await ofBoth.find("app=admin&name=/login");
  expect((await ofApp.ask(`/inspects/${ofAdmin.id}`)).status).toBe(404);
  expect(new Set((await ofApp.list("limit=200")).map((inspect) => inspect.app))).toEqual(new Set(["app"]));
  expect((await ofBoth.ask("/inspects?app=evil")).status).toBe(400);
});

test("S-25 both are one list, the newest first, which is read page by page", async () => {
  const whole = await ofBoth.list("limit=200&source=http");
  expect(new Set(whole.map((inspect) => inspect.app))).toEqual(new Set(["app", "admin"]));
  const ids = whole.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().toReversed());
  const seen: string[] = [];
  const oldest = ids.at(-1) ?? "";
  for (let before = ids[0] ?? ""; before > oldest; before = seen.at(-1) ?? "") {
    const some = await ofBoth.list(`limit=3&source=http&before=${before}`);
    seen.push(...some.map(({ id }) => id));
  }
  expect(seen.slice(0, ids.length - 1)).toEqual(ids.slice(1));
});

test("S-25 the pages of the admin app's Lighthouse filter by app, and show an inspect of either", async () => {
  const client = createClient(admin.url);
  const form = { body: new URLSearchParams({ secret: lighthouseSecret, next: "" }).toString() };
  await client.request("POST", "/lighthouse/sign-in", undefined, {
    ...form,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: new URL(admin.url).origin,
      "sec-fetch-site": "same-origin",
    },
  });
  const ofApps = await client.get("/lighthouse?app=app");
  expect(ofApps.text).toContain('<option value="app" selected>app</option>');
  expect(ofApps.text).toContain('<span class="tag plain">app</span>');
  expect(ofApps.text).not.toContain('<span class="tag plain">admin</span>');
  const [, path = ""] = /<a href="(\/lighthouse\/inspects\/[\w-]+)"/.exec(ofApps.text) ?? [];
  expect((await client.get(path)).status).toBe(200);
});

test("S-25 a file that is absent, replaced, damaged or of another release is left as it is, and the pages say what is missing", async () => {
  const ada = await people.register("ada");
  const seen = await ofApp.find(`user=${ada.id}`);
  const why = async () => (await ofBoth.ask("/inspects?app=app")).at("unread.why");
  const says = async () => textOf(await desk.get(`/people/${ada.id}`));
  const kept = `${fileOfApp}.kept`;
  const companions = ["-wal", "-shm"];
  /** Moves the file away, as a restore or a clean-up by hand does. */
  const moveAside = (): void => {
    for (const end of ["", ...companions]) renameSync(`${fileOfApp}${end}`, `${kept}${end}`);
  };
  const putBack = (): void => {
    for (const end of ["", ...companions]) {
      rmSync(`${fileOfApp}${end}`, { force: true });
      renameSync(`${kept}${end}`, `${fileOfApp}${end}`);
    }
  };

  expect(await why()).toBeUndefined();
  moveAside();
  expect(await why()).toBe("absent");
  expect(await says()).toContain("has recorded nothing on this host");
  expect(await Bun.file(fileOfApp).exists()).toBe(false);
  expect((await createClient(admin.url).get(`/lighthouse/api/inspects/${seen.id}`, asOperator)).status).toBe(404);

  const other = new Database(fileOfApp, { create: true });
  other.run("create table inspects (id text primary key) strict");
  other.close();
  expect(await why()).toBe("other_release");
  expect(await says()).toContain("is of another release");

  writeFileSync(fileOfApp, "no database ".repeat(1_000));
  const { mtimeMs } = statSync(fileOfApp);
  expect(await why()).toBe("unreadable");
  expect(await says()).toContain("can't be read now");
  expect(statSync(fileOfApp).mtimeMs).toBe(mtimeMs);

  putBack();
  expect(await ofBoth.one(seen.id)).toEqual(seen);
  await people.register("grace");
  await eventually("the app goes on writing", async () => (await ofBoth.list("app=app&limit=1"))[0]?.id !== seen.id);
});
