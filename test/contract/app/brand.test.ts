import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPicture } from "../../../src/http/pages/brand/logo.ts";
import { ConfigurationError } from "../../../src/cli/app/configuration.error.ts";
import { readStart } from "../../../src/cli/app/start.ts";
import { auth, nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { definitions } from "../../support/definitions.ts";
import { testEnvironment } from "../../support/environment.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-brand-"));
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, "logo.svg");
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><style>path{fill:red}</style><path d="M0 0h9"/></svg>';
writeFileSync(file, picture);
const darkFile = join(folder, "dark.svg");
writeFileSync(darkFile, picture.replace("red", "white"));
const look = { APP_DISPLAY_NAME: "Ada's Shop", APP_ACCENT_COLOR: "#7c3aed,#c4b5fd", APP_LOGO_PATH: file };
const { browser, mailbox, people, target } = await stage({ env: { ...look, APP_MAINTENANCE_ENABLED: "false" } });

test("A-11 the logo is served for good at a path with its hash, and can do nothing even when it is opened by itself", async () => {
  const logo = readPicture(file);
  if ("wrong" in logo) throw new Error(logo.wrong);
  const answer = await browser().get(logo.path);
  expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([200, picture, "image/svg+xml"]);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  );
  const other = await browser().get("/brand/logo.0000000000000000.svg");
  expect([other.status, other.headers.get("cache-control")]).toEqual([200, "no-cache"]);
});

test("mails have the product's name and its colour in both schemes", async () => {
  const ada = await people.register("ada");
  const { html } = await nextMail(mailbox, ada.email, "Verify your email for Ada's Shop");
  expect(html).toContain("background:#7c3aed;color:#ffffff");
  expect(html).toContain(".button{background:#c4b5fd !important;color:#0c1a14 !important}");
  expect(html).not.toContain("#0f6b4f");
});

test("the page of maintenance has them too", async () => {
  const headers = { authorization: `Bearer ${target.env["APP_DIAG_TOKEN"]}` };
  await browser().post("/-/maintenance/enable", undefined, { headers });
  const page = await browser().get("/", { headers: { accept: "text/html" } });
  await browser().post("/-/maintenance/disable", undefined, { headers });
  expect([page.status, page.text.includes("Ada&#x27;s Shop")]).toEqual([503, true]);
  expect(page.text).toContain('<img src="data:image/svg+xml;base64,');
  expect(page.text).not.toMatch(/(?:src|href)="(?!data:|\/")/);
  expect(page.text).toContain(":root{--accent:#7c3aed}@media (prefers-color-scheme:dark){:root{--accent:#c4b5fd}}");
  expect((await browser().get(auth("me"))).status).toBe(401);
});

test("the product leads home from every page, and its picture is in the tab", async () => {
  const home = await startTarget({ env: { ...look, APP_HOME_URL: "https://shop.example.test/welcome" } });
  for (const [at, leads] of [
    [target, "/"],
    [home, "https://shop.example.test/welcome"],
  ] as const) {
    const { text } = await createClient(at.url).get("/login");
    expect(text).toContain(`<p class="product"><a href="${leads}">`);
    expect(text).toMatch(/<link rel="icon" href="\/brand\/logo\.\w{16}\.svg"/);
  }
  await home.stop();
});

test("a picture that holds the name stands alone, dark pages have their own, and the tab gets the first letter", async () => {
  const env = { ...look, APP_LOGO_DARK_PATH: darkFile, APP_LOGO_HAS_NAME: "true" };
  const other = await startTarget({ env });
  const client = createClient(other.url);
  const { text } = await client.get("/login");
  const [, dark = "", light = ""] =
    /<picture><source srcset="([^"]+)" media="\(prefers-color-scheme: dark\)"><img src="([^"]+)" alt="Ada&#x27;s Shop" height="40"><\/picture><\/a>/.exec(
      text,
    ) ?? [];
  expect((await client.get(light)).text).toBe(picture);
  expect((await client.get(dark)).text).toBe(picture.replace("red", "white"));
  const [, icon = ""] = /<link rel="icon" href="([^"]+)"/.exec(text) ?? [];
  expect(icon).toStartWith("data:image/svg+xml;base64,");
  const drawn = Buffer.from(icon.split(",")[1] ?? "", "base64").toString();
  expect(drawn).toContain('fill="#7c3aed"');
  expect(drawn).toContain(">A</text>");
  await other.stop();
});

test("an address that leads nowhere has a page in the reader's language, for those who ask for a page", async () => {
  const ask = (headers: Record<string, string>, path = "/nowhere") => browser().get(path, { headers });
  const page = await ask({ accept: "text/html,application/xhtml+xml", "accept-language": "de-AT" });
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.text).toContain("Diese Seite gibt es nicht");
  expect(page.text).toContain('href="/">Zu Ada&#x27;s Shop</a>');
  expect(page.text).not.toContain("nowhere");
  // It stands alone, as the page of maintenance does: its policy lets nothing be loaded.
  expect(page.text).toContain('<img src="data:image/svg+xml;base64,');
  expect(page.text).not.toMatch(/(?:src|href)="(?!data:|\/")/);
  for (const accept of ["*/*", "application/json", "text/html;q=0"]) {
    const bare = await ask({ accept });
    expect([accept, bare.status, bare.text]).toEqual([accept, 404, ""]);
  }
  expect((await ask({ accept: "text/html" }, "/api/v1/nowhere")).at("code")).toBe("not_found");
  // What is hidden from others looks the same to a browser, too.
  const forwarded = { accept: "text/html", "x-forwarded-for": "203.0.113.7" };
  const hidden = await ask(forwarded, "/-/maintenance/enable");
  const absent = await ask(forwarded);
  expect([hidden.status, hidden.text]).toEqual([absent.status, absent.text]);
});

test("A-09 A-10 a start refuses a colour that can't be read and a picture that could do something, and says why", async () => {
  const evil = join(folder, "evil.svg");
  writeFileSync(evil, picture.replace("<path", '<path onclick="alert(1)"'));
  const start = (env: Record<string, string>) => {
    const silent = () => undefined;
    return readStart(definitions.app, {
      env: { ...testEnvironment(folder), ...env },
      out: silent,
      err: silent,
      readSecret: () => Promise.resolve(""),
    });
  };
  expect(start({ APP_ACCENT_COLOR: "#ffd400" })).rejects.toThrow(/APP_ACCENT_COLOR can't be read on light pages/);
  expect(start({ APP_LOGO_PATH: evil })).rejects.toThrow(/APP_LOGO_PATH is an SVG that has the script onclick/);
  expect(start({ ...look, APP_LOGO_DARK_PATH: evil })).rejects.toThrow(
    /APP_LOGO_DARK_PATH is an SVG that has the script/,
  );
  expect(start({ APP_LOGO_DARK_PATH: file })).rejects.toThrow(/APP_LOGO_DARK_PATH needs APP_LOGO_PATH/);
  expect(start({ APP_LOGO_HAS_NAME: "true" })).rejects.toThrow(/APP_LOGO_HAS_NAME needs APP_LOGO_PATH/);
  expect(start({ APP_LOGO_PATH: join(folder, "absent.svg") })).rejects.toThrow(ConfigurationError);
  expect((await start(look)).config.app.logoPath).toBe(file);
});
