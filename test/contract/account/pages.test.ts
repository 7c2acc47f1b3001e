import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createClient, type Client } from "../../support/client.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { ourWords } from "../../support/words.ts";

const paths = [
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/undo-email-change",
  "/accept-invitation",
  "/email-login",
];
const password = "a long walk by the sea";

let target: Target;
let stranger: Client;
let ada: Client;
beforeAll(async () => {
  target = await startTarget({ roles: ["http"], shared: true });
  stranger = createClient(target.url);
  ada = createClient(target.url);
  await ada.post("/api/v1/auth/register", { email: "ada@example.test", password });
});
afterAll(() => target.stop());
endTargetsAfterEach();

/** Returns the addresses of the files that a page loads. */
const loadedBy = (html: string): string[] =>
  [...html.matchAll(/<(?:link rel="(?:stylesheet|modulepreload)" href|script type="module" src)="([^"]+)"/g)].map(
    ([, address = ""]) => address,
  );

/** Fetches a file as it goes over the wire, without decoding it. */
const fetchRaw = (path: string, coding: string): Promise<Response> =>
  fetch(new URL(path, target.url), { headers: { "accept-encoding": coding }, decompress: false });

/** Resolves to how many bytes a page loads in a language, by gzip. */
async function weightOf(client: Client, path: string, language: string): Promise<number> {
  const page = await client.get(path, { headers: { "accept-language": language } });
  const loaded = loadedBy(page.text);
  const files = await Promise.all(loaded.map(async (file) => (await fetchRaw(file, "gzip")).bytes()));
  // The page names every file that its files load before they run, so that the browser need not ask for one after another.
  for (const file of loaded.filter((each) => each.endsWith(".js"))) {
    const code = await (await fetchRaw(file, "identity")).text();
    for (const [, more = ""] of code.matchAll(/(?:from|import)"\.\/([^"]+)"/g))
      expect(loaded).toContain(new URL(more, new URL(file, "http://x")).pathname);
  }
  return files.reduce((sum, { length }) => sum + length, 0);
}

describe("the page", () => {
  test.each(paths)(
    "U-01 %s loads one style sheet, its own file and one script of this host, and allows nothing else",
    async (path) => {
      const page = await stranger.get(path);
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const words = /^\/account\/assets\/en\.[0-9a-f]{12}\/words\.(?:invitation|links)\.js$/;
      const hasChapter = !["/login", "/register", "/forgot-password"].includes(path);
      expect(loadedBy(page.text)).toEqual([
        expect.stringMatching(/^\/account\/assets\/style\.[0-9a-z]{8}\.css$/),
        expect.stringMatching(/^\/account\/assets\/en\.[0-9a-f]{12}\/(?:page|seldom)\.[0-9a-z]{8}\.js$/),
        ...(hasChapter ? [expect.stringMatching(words)] : []),
        expect.stringMatching(/^\/account\/assets\/en\.[0-9a-f]{12}\/main\.[0-9a-z]{8}\.js$/),
      ]);
      const policy = page.headers.get("content-security-policy")?.split("; ");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("style-src 'self'");
      expect(policy).toContain("form-action 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).toContain("trusted-types 'none'");
      expect(page.text).not.toMatch(/<script>|<style>| style=| on\w+=/);
    },
  );

  test("is asked for again each time, and sent only when it has changed", async () => {
    const first = await stranger.get("/login");
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const etag = first.headers.get("etag") ?? "";
    const again = await stranger.get("/login", { headers: { "if-none-match": etag } });
    expect({ status: again.status, text: again.text, etag: again.headers.get("etag") }).toEqual({
      status: 304,
      text: "",
      etag,
    });
    expect((await stranger.get("/register", { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  test("U-02 is the same with a session and without", async () => {
    for (const path of paths) expect((await ada.get(path)).text).toBe((await stranger.get(path)).text);
  });

  test("U-02 of the account is sent with a session alone, and not stored", async () => {
    const refused = await stranger.get("/account");
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/login?next=%2Faccount"]);
    const page = await ada.get("/account");
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(page.text).not.toContain("ada");
  });

  test("speaks the language that the browser wants most", async () => {
    const inLanguage = async (header: string): Promise<string> =>
      (await stranger.get("/login", { headers: { "accept-language": header } })).text.slice(0, 40);
    expect(await inLanguage("de-AT,de;q=0.9,en;q=0.8")).toContain('<html lang="de">');
    expect(await inLanguage("sv, de;q=0.5, en;q=0.7")).toContain('<html lang="en">');
    expect(await inLanguage("constructor;q=1, *")).toContain('<html lang="en">');
    expect((await stranger.get("/login")).headers.get("vary")).toBe("Accept-Language");
  });

  test("says without JavaScript that it needs it", async () => {
    expect((await stranger.get("/login")).text).toMatch(/<noscript><p [^>]+>This page works with JavaScript/);
  });
});

test("/ leads to the account of whoever is signed in, and others to the sign-in", async () => {
  const leads = async (client: Client): Promise<unknown[]> => {
    const { status, headers } = await client.get("/");
    return [status, headers.get("location")];
  };
  expect(await leads(ada)).toEqual([303, "/account"]);
  expect(await leads(stranger)).toEqual([303, "/login"]);
});

describe("what the page loads", () => {
  test("is compressed as the browser takes it, and kept for ever", async () => {
    for (const path of loadedBy((await stranger.get("/login")).text)) {
      const plain = await fetchRaw(path, "identity");
      const text = await plain.text();
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(plain.headers.get("vary")).toBe("Accept-Encoding");
      const zipped = await fetchRaw(path, "deflate, gzip");
      expect(zipped.headers.get("content-encoding")).toBe("gzip");
      expect(gunzipSync(await zipped.bytes()).toString()).toBe(text);
      const best = await fetchRaw(path, "gzip, deflate, br");
      expect(best.headers.get("content-encoding")).toBe("br");
      expect(brotliDecompressSync(await best.bytes()).toString()).toBe(text);
      expect((await fetchRaw(path, "gzip, br;q=0")).headers.get("content-encoding")).toBe("gzip");
    }
  });

  test.each(ourWords.languages)(
    "weighs at most 45 KB on each page, and 52 KB on that of the account, compressed by gzip: in %s",
    async (language) => {
      for (const path of paths) expect(await weightOf(ada, path, language)).toBeWithin(1, 45_000);
      // The page of the account has many sections, and nobody waits for them who only signs in.
      expect(await weightOf(ada, "/account", language)).toBeWithin(1, 52_000);
    },
  );

  test("weighs no more because of organizations but on their own pages: 48 KB, and 57 KB on that of the account", async () => {
    const other = await startTarget({ roles: ["http"], env: { ORGANIZATIONS_ENABLED: "true" } });
    const grace = createClient(other.url);
    await grace.post("/api/v1/auth/register", { email: "grace@example.test", password });
    for (const language of ["en", "de"]) {
      expect(await weightOf(grace, "/login", language)).toBe(await weightOf(ada, "/login", language));
      expect(await weightOf(grace, "/account/organization", language)).toBeWithin(1, 48_000);
      expect(await weightOf(grace, "/account", language)).toBeWithin(1, 57_000);
    }
    await other.stop();
  });

  test("is there for a page of another release, but not to be kept; other names are not", async () => {
    const style = await stranger.get("/account/assets/style.01234567.css");
    expect([style.status, style.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    const script = await stranger.get("/account/assets/main.en.01234567.js");
    expect([script.status, script.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    const main = loadedBy((await stranger.get("/login")).text).at(-1) ?? "";
    expect(script.text).toBe(`import "./${main.replace("/account/assets/", "")}";`);
    const other = await stranger.get("/account/assets/en.0123456789ab/main.01234567.js");
    expect(other.text).toBe(`import "./${main.split("/").at(-1)}";`);
    const [own, kept] = [
      await stranger.get(main),
      await stranger.get(main.replace(/en\.[0-9a-f]+/, "en.0123456789ab")),
    ];
    expect([kept.text, kept.headers.get("cache-control")]).toEqual([own.text, "no-cache"]);
    expect((await stranger.get("/account/assets/en.0123456789ab/words.links.js")).headers.get("cache-control")).toBe(
      "no-cache",
    );
    for (const name of ["account.js.map", "main.tsx", "..%2fsettings.ts", "page.01234567.js", "seldom.01234567.js"]) {
      const { status, text } = await stranger.get(`/account/assets/${name}`);
      expect({ name, status, text }).toEqual({ name, status: 404, text: "" });
    }
  });
});

test("an app below a path of its host has its pages, and what they load, below that path", async () => {
  const below = await startTarget({ roles: ["http"], env: { APP_URL: "http://127.0.0.1:3000/sign-in/" } });
  const client = createClient(below.url);
  const { text } = await client.get("/login");
  for (const path of loadedBy(text)) {
    expect(path).toStartWith("/sign-in/account/assets/");
    expect((await client.get(path.replace("/sign-in", ""))).status).toBe(200);
  }
  expect(text).toContain("&quot;base&quot;:&quot;/sign-in&quot;");
  expect((await client.get("/account")).headers.get("location")).toBe("/sign-in/login?next=%2Fsign-in%2Faccount");
  await below.stop();
});

test("FRONTEND_ENABLED=false leaves the API alone", async () => {
  const bare = await startTarget({ env: { FRONTEND_ENABLED: "false" }, roles: ["http"] });
  const client = createClient(bare.url);
  for (const path of ["/", ...paths, "/account", "/account/assets/main.en.01234567.js"]) {
    const { status, text } = await client.get(path);
    expect({ path, status, text }).toEqual({ path, status: 404, text: "" });
  }
  await bare.stop();
});

test("password managers are led to the password in the account", async () => {
  const answer = await createClient(target.url).get("/.well-known/change-password");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/account#password"]);
});
