import { afterAll, beforeEach, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { AppError } from "../../../src/core/errors.ts";
import { minute } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { startRoom } from "../../support/staff.room.ts";
import { createStaff, hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { ThingsPage } from "../../support/things.page.tsx";

/** The acts that were done: by whom, and with which text. */
const done: { readonly by: unknown; readonly reason: string | null }[] = [];

const app = await startRoom((staff) =>
  new Elysia({ name: "test/things" })
    .use(staff.page("/things", "people.see", (context) => ThingsPage({ context })))
    .use(
      staff.act(
        "/things/:id/delete",
        { may: "people.delete", back: "/things", isDangerous: true },
        async ({ by }, form, id) => {
          if (id === "2") throw new AppError("not_found");
          done.push({ by, reason: form.get("reason") });
          const undo = { action: "/things/1/restore", label: "Restore", fields: { id } };
          const text = `<i>${form.get("reason")}</i> is deleted.`;
          return { to: "/things?sorted=1", notice: { kind: "good", text, undo } };
        },
      ),
    ),
);
const rows = openRows(app.databasePath);
afterAll(async () => {
  rows.close();
  await app.stop();
});
beforeEach(() => void done.splice(0));
const staff = createStaff(app.url, rows);
const act = "/things/1/delete";

test("an act leads on, so that a reload does not repeat it, and is known by who did it", async () => {
  const { visitor, id } = await staff.add("ada");
  const answer = await visitor.submit("/things", { reason: "old" }, act);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/things?sorted=1"]);
  expect(done).toEqual([
    {
      by: { actor: "staff", userId: id, role: "admin", origin: expect.objectContaining({ address: "127.0.0.1" }) },
      reason: "old",
    },
  ]);
});

test("S-13 the page that follows says what was done, once, on that page alone, and as text", async () => {
  const { visitor } = await staff.add("ada");
  await visitor.submit("/things", { reason: "old" }, act);
  expect(textOf(await visitor.get("/"))).not.toContain("is deleted");
  const page = await visitor.get("/things?sorted=1");
  expect(page.text).toContain("&lt;i&gt;old&lt;/i&gt; is deleted.");
  expect(hiddenFields(page.text, "/things/1/restore")).toEqual({ csrf: expect.any(String), id: "1" });
  expect(textOf(await visitor.get("/things"))).not.toContain("is deleted");
});

test("S-13 nobody has a page say something: not by a made-up cookie, nor by that of another session", async () => {
  const [ada, grace] = [await staff.add("ada"), await staff.add("grace")];
  await ada.visitor.submit("/things", { reason: "old" }, act);
  const notice = ada.visitor.client.cookie("admin_notice") ?? "";
  const [body = "", tag = ""] = notice.split(".");
  const forged = Buffer.from(JSON.stringify({ at: "/things", notice: { kind: "good", text: "Call us" } }));
  for (const value of [notice, `${forged.toString("base64url")}.${tag}`, `${body}.`, body, "x.y.z", "."]) {
    grace.visitor.client.setCookie("admin_notice", value);
    const page = await grace.visitor.get("/things");
    expect([page.status, page.text.includes('class="notice')]).toEqual([200, false]);
  }
});

test("S-14 what is dangerous asks for the password again after ten minutes, and then goes on with what was typed", async () => {
  const { visitor, password, id } = await staff.add("ada");
  rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 10 * minute, id);
  const asked = await visitor.submit("/things", { reason: `"><b>old</b>` }, act);
  expect([asked.status, titleOf(asked)]).toEqual([403, "Confirm that it is you"]);
  expect(done).toEqual([]);
  const kept = hiddenFields(asked.text, act);
  expect(kept["reason"]).toBe(`"><b>old</b>`);

  const wrong = await visitor.send(act, { ...kept, current_password: "wrong" });
  expect([wrong.status, textOf(wrong)]).toEqual([401, expect.stringContaining("This is not your current password.")]);
  expect(hiddenFields(wrong.text, act)).toEqual(kept);
  expect(wrong.text).not.toContain('value="wrong"');
  expect((await visitor.send(act, { ...kept, current_password: "" })).status).toBe(401);
  expect(done).toEqual([]);

  const right = await visitor.send(act, { ...kept, current_password: password });
  expect([right.status, done.map(({ reason }) => reason)]).toEqual([303, [`"><b>old</b>`]]);
  expect((await visitor.submit("/things", { reason: "next" }, act)).status).toBe(303);
});

test("S-14 guesses at that password are counted on the session alone, and the page says until when", async () => {
  const { visitor, password, id, email } = await staff.add("ada");
  rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 10 * minute, id);
  const kept = hiddenFields((await visitor.submit("/things", {}, act)).text, act);
  const statuses: number[] = [];
  for (let guess = 0; guess < 5; guess += 1)
    statuses.push((await visitor.send(act, { ...kept, current_password: "wrong" })).status);
  expect(statuses).toEqual([401, 401, 401, 401, 423]);
  const locked = await visitor.send(act, { ...kept, current_password: password });
  expect([locked.status, textOf(locked)]).toEqual([
    423,
    expect.stringMatching(/You can try again at (?:\d+ \w+ \d+, )?\d\d:\d\d \(UTC\)\./),
  ]);
  expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(800);
  expect(done).toEqual([]);
  const { visitor: elsewhere } = await staff.register("grace");
  await elsewhere.submit("/", {}, "/logout");
  expect((await elsewhere.submit("/login", { login: email, password })).status).toBe(303);
});

test("a refusal is a page with the way back, and a form of an earlier sign-in does nothing", async () => {
  const { visitor, email, password } = await staff.add("ada");
  const missing = await visitor.submit("/things", {}, "/things/2/delete");
  expect([missing.status, titleOf(missing)]).toEqual([404, "There is nothing here"]);
  expect(missing.text).toContain('href="/things"');
  const earlier = hiddenFields((await visitor.get("/things")).text, act);
  await visitor.submit("/", {}, "/logout");
  expect((await visitor.send(act, earlier)).headers.get("location")).toBe("/login?next=%2Fthings");
  await visitor.submit("/login", { login: email, password });
  const stale = await visitor.send(act, earlier);
  expect([stale.status, titleOf(stale)]).toEqual([403, "This form is not of your sign-in"]);
  expect(done).toEqual([]);
});
