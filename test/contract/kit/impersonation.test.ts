import { expect, test } from "bun:test";
import { createPageVisitor, hiddenFields, textOf } from "../../support/staff.ts";
import { openDesk } from "../impersonation/desk.fixture.ts";
import { createInhabitants, location, password, serverKit } from "./kit.fixture.ts";

const desk = await openDesk({ env: serverKit });
const { target, rows } = desk;

test("U-38 staff in somebody's name see the account with a bar above it, and change nothing by any form", async () => {
  const { email } = await createInhabitants({ target }).register("ada");
  const id = String(rows.get("select id from users where email_key = ?", email)["id"]);
  const grace = await desk.staff.add("grace");
  const visitor = createPageVisitor(target.url, await desk.open(grace, id));
  const page = await visitor.get("/account");
  expect(textOf(page)).toContain("grace is looking at the account of ada, and can change nothing.");
  const { csrf = "" } = hiddenFields(page.text, "/logout");
  const shown = Array.from(page.text.matchAll(/action="(\/account[^"]*)"/g), ([, path = ""]) => path);
  const others = ["profile", "username", "email", "password", "delete", "devices/end", "terms", "two-step/app"];
  expect(shown.length).toBeGreaterThan(0);
  for (const path of new Set([...shown, ...others.map((each) => `/account/${each}`)])) {
    const refused = await visitor.send(path, { csrf, current_password: password, display_name: "Eve" });
    expect([path, refused.status, textOf(refused).includes("Only the person can do this.")]).toEqual([path, 403, true]);
  }
  expect(rows.get("select display_name from users where id = ?", id)["display_name"]).toBe("ada");
  expect(location(await visitor.send("/logout", { csrf }))).toStartWith("/login");
  expect(location(await visitor.get("/account"))).toStartWith("/login");
});
