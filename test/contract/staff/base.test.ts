import { expect, test } from "bun:test";
import { stage } from "../../support/stage.ts";
import { becomeStaff, createPageVisitor, hiddenFields } from "../../support/staff.ts";

// The admin app is one of several below a host. A proxy takes the path of APP_URL off; addresses in pages have it in front.
const base = "/back-office";
const env = { APP_URL: `https://example.test${base}`, AUTH_COOKIE_SECURE: "false" };
const { target, rows } = await stage({ app: "admin", roles: ["http"], env });

/** Returns the addresses of a page that lead past the path of the app. */
const astray = (html: string): readonly string[] =>
  [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)]
    .map(([, address = ""]) => address)
    .filter((address) => !address.startsWith(`${base}/`) && !/^[?#]|^data:image\/svg\+xml;base64,/.test(address));

test("below a path every link, form and redirect has that path in front", async () => {
  const visitor = createPageVisitor(target.url);
  const leads = async (path: string): Promise<string | null> => (await visitor.get(path)).headers.get("location");
  expect(await leads("/people?state=locked")).toBe(
    `${base}/login?next=${encodeURIComponent(`${base}/people?state=locked`)}`,
  );
  for (const path of ["/login", "/register", "/forgot-password", "/reset-password?token=x", "/verify-email?token=x"])
    expect(astray((await visitor.get(path)).text)).toEqual([]);

  const fields = { email: "ada@example.test", password: "a long walk by the sea" };
  const { csrf = "" } = hiddenFields((await visitor.get("/register")).text, `${base}/register`);
  const made = await visitor.send("/register", { ...fields, csrf, next: `${base}/people` });
  expect([made.status, made.headers.get("location")]).toEqual([303, `${base}/people`]);
  becomeStaff(rows, fields.email);
  const own = String(rows.get("select id from users")["id"]);
  for (const path of ["/", "/people", `/people/${own}`, `/people/${own}/delete`, "/people/none"])
    expect({ path, astray: astray((await visitor.get(path)).text) }).toEqual({ path, astray: [] });
  expect(await leads("/account")).toBe(`${base}/people/${own}`);
  expect(await leads("/login")).toBe(`${base}/`);
  const page = await visitor.get("/");
  const out = await visitor.send("/logout", hiddenFields(page.text, `${base}/logout`));
  expect(out.headers.get("location")).toBe(`${base}/login?notice=signed-out`);
});
