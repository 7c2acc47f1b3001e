import { expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { idpEnvironment, idpKit } from "../idp/idp.fixture.ts";
import { organizationKit, organizationsOn, of } from "../organization/organization.fixture.ts";
import { openDesk } from "./desk.fixture.ts";
import { rights } from "./rights.fixture.ts";

const opened = await openDesk({
  ...idpEnvironment,
  ...organizationsOn,
  ADMIN_APP_URL: "https://desk.example.test",
  AUTH_IMPERSONATION_ENABLED: "true",
});
const { app, people, rows, staff } = opened;

/** Words that no German sentence has. */
const english = /\b(?:the|and|of|with|this|that|what|not|are|is|by|to|or|for|from|who|has|have|been|it|its)\b/i;
/** What programs and people have written, and names. */
const quoted = /<(bdi|code|pre|option|time)\b[^>]*>[\s\S]*?<\/\1>|<(\w+)[^>]* dir="auto"[^>]*>[\s\S]*?<\/\2>/g;

/** Returns what people read, or have read to them, that is English. */
function englishIn(html: string): readonly string[] {
  const body = html.replace(/[\s\S]*<body>/, "").replaceAll(quoted, " ");
  const attributes = [...body.matchAll(/ (?:title|aria-label|placeholder|data-column|alt)="([^"]*)"/g)];
  const texts = [...body.matchAll(/>([^<]+)</g), ...attributes].map(([, text = ""]) => text.trim());
  return texts.filter((text) => english.test(text));
}

test("every page for staff is German for those who read German, refusals included", async () => {
  const kit = organizationKit(opened);
  const [{ desk, person: grace }, { id, owner }] = [await staff("grace"), await kit.team("Quartz")];
  rows.run("update users set locale = 'de' where id = ?", grace.id);
  await owner.client.post(of(id, "invitations"), { email: "waiting@example.test" });
  const ada = await people.register("ada");
  for (const password of ["one", "two", "three"])
    await createClient(app.url).post(auth("login"), { login: ada.email, password });
  const shop = await idpKit(app).register("Shop");
  const named: Readonly<Record<string, string>> = {
    people: ada.id,
    organizations: id,
    apps: shop.client_id,
    "mail-previews": "password_changed",
  };
  const paths = [...rights.keys()]
    .filter((route) => route.startsWith("GET ") && !/\.csv$|\/html$/.test(route))
    .map((route) => route.slice("GET ".length))
    .map((path) =>
      path.replace(":id", named[path.split("/")[1] ?? ""] ?? "none").replace(":name", named["mail-previews"] ?? ""),
    );
  const more = [
    "/?span=30d",
    "/people?search=nobody",
    "/audit?action=none&address=none&person=nobody",
    "/people/none",
    "/mail-previews?language=de",
  ];
  const found: unknown[] = [];
  for (const path of [...paths, ...more]) {
    const { status, text } = await desk.get(path);
    if (status >= 300 && status < 400) continue;
    if (!text.includes('<html lang="de">') || status >= 500) found.push({ path, status, text: text.slice(0, 300) });
    for (const said of englishIn(text)) found.push({ path, said });
  }
  expect(found).toEqual([]);
});
