import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { auth, calm, createPeople } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { eventually, untilLogged } from "../../support/log.ts";
import { createPageVisitor } from "../../support/staff.ts";
import { endTargetsAfterEach, startTarget, type Target, type TargetOptions } from "../../support/target.ts";

endTargetsAfterEach();
const local = {
  ...calm,
  APP_ENV: "local",
  AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true",
  LIGHTHOUSE_INSPECT_ENABLED: "false",
};
const password = "a long walk by the sea";
const folderOf = ({ databasePath }: Target): string => join(dirname(databasePath), "mails");
const idsIn = ({ text }: Answer): string[] =>
  [...text.matchAll(/href="\/mails\/([\da-f-]{36})"/g)].map(([, id = ""]) => id);

/** Stops the target in any case once the work is over. */
async function withTarget(options: TargetOptions, work: (target: Target) => Promise<void>): Promise<void> {
  const target = await startTarget(options);
  try {
    await work(target);
  } finally {
    await target.stop();
  }
}

/** Waits until the page shows that many mails. */
async function mailsIn(browser: Client, count: number): Promise<string[]> {
  for (let tries = 0; tries < 250; tries += 1) {
    const ids = idsIn(await browser.get("/mails"));
    if (ids.length >= count) return ids;
    await Bun.sleep(20);
  }
  throw new Error(`there are no ${count} mails`);
}

describe("the mails of a developer's machine", () => {
  test("are shown by the admin app as well, where its log says that they are", async () => {
    await withTarget({ env: local, app: "admin" }, async (admin) => {
      const email = "ada@example.test";
      await createPageVisitor(admin.url).submit("/register", { email, password });
      await eventually("the line of the mail", () => admin.logs().includes("/mails/"));
      const [, path = ""] = /https?:\/\/[^/]+(\/mails\/[\da-f-]{36})/.exec(admin.logs()) ?? [];
      const answer = await createClient(admin.url).get(path);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(email);
    });
  });

  test("are shown whole, with links that work, by another process than the one that made them", async () => {
    // The address of the app is that of Vite's server, which passes on no mails.
    const behind = { ...local, APP_URL: "http://localhost:5173" };
    await withTarget({ env: behind, roles: ["http"] }, async (api) => {
      const browser = createClient(api.url);
      expect((await browser.get("/mails")).text).toContain("No mail yet.");
      const env = { ...behind, API_HTTP_PORT: String(api.port), DB_DATABASE: api.databasePath };
      await withTarget({ env, roles: ["worker"] }, async (worker) => {
        await browser.post(auth("register"), { email: "ada@example.test", password });
        const [id = ""] = await mailsIn(browser, 1);
        // A reader of the log can't use the link, but learns where it is.
        await eventually("the line of the mail", () =>
          worker.logs().includes(`http://localhost:${api.port}/mails/${id}`),
        );
        expect(worker.logs()).not.toContain("token=");
        const page = await browser.get(`/mails/${id}`);
        const [, token = ""] = /href="\/verify-email\?token=([\w-]{43})"/.exec(page.text) ?? [];
        const confirmed = await browser.post(auth("email-verification/confirm"), { token });
        expect(confirmed.status).toBe(200);
        expect((await browser.post(auth("login"), { login: "ada@example.test", password })).status).toBe(200);

        const html = await browser.get(`/mails/${id}/html`);
        expect(html.text).toContain(`token=${token}`);
        expect(html.text).toContain('<base target="_blank">');
        expect(html.headers.get("content-security-policy")).toEndWith(
          "sandbox allow-popups allow-popups-to-escape-sandbox allow-same-origin",
        );
        expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
        expect(page.text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin"');

        const file = join(folderOf(api), `${id}.json`);
        expect([statSync(file).mode & 0o777, statSync(folderOf(api)).mode & 0o777]).toEqual([0o600, 0o700]);
      });
    });
  });

  test("are the newest hundred", async () => {
    await withTarget({ env: { ...local, AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "false" } }, async (target) => {
      const browser = createClient(target.url);
      await browser.post(auth("register"), { email: "ada@example.test", password });
      const [first = ""] = await mailsIn(browser, 1);
      for (let count = 0; count < 120; count += 1) {
        const id = Bun.randomUUIDv7("hex", Date.now() - 1_000_000 + count);
        const mail = {
          id,
          at: new Date().toISOString(),
          to: "grace@example.test",
          subject: `Old ${count}`,
          text: "",
          html: "",
        };
        writeFileSync(join(folderOf(target), `${id}.json`), JSON.stringify(mail));
      }
      writeFileSync(join(folderOf(target), "notes.txt"), "not a mail");
      await browser.post(auth("register"), { email: "grace@example.test", password });
      const stored = (): number => readdirSync(folderOf(target)).filter((name) => name.endsWith(".json")).length;
      await eventually("the newest hundred", async () => {
        const ids = await mailsIn(browser, 100);
        return ids.length === 100 && ids[1] === first && stored() === 100;
      });
    });
  });

  test("come beside the tokens that local answers carry", async () => {
    const env = {
      ...local,
      AUTH_PASSWORD_RESET_RETURN_TOKEN: "true",
      AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "false",
    };
    await withTarget({ env }, async ({ url }) => {
      const ada = await createPeople(url).register("ada");
      const browser = createClient(url);
      await mailsIn(browser, 1);
      const answer = await browser.post(auth("password-reset/request"), { login: ada.email });
      expect(answer.at("reset_token")).toBeString();
      const [id = ""] = await mailsIn(browser, 2);
      expect((await browser.get(`/mails/${id}`)).text).toContain("/reset-password?token=");
    });
  });

  test("A-12 are there for a browser on the machine alone, which knows it by a name of the machine", async () => {
    await withTarget({ env: local }, async (target) => {
      const browser = createClient(target.url);
      await browser.post(auth("register"), { email: "ada@example.test", password });
      const [id = ""] = await mailsIn(browser, 1);
      const astray: Record<string, string>[] = [
        { "x-forwarded-for": "203.0.113.7" },
        { forwarded: "for=203.0.113.7" },
        { host: "rebound.evil.test" },
        { host: `rebound.evil.test:${target.port}` },
        { host: "127.0.0.1.evil.test" },
      ];
      for (const path of ["/mails", `/mails/${id}`, `/mails/${id}/html`]) {
        for (const headers of astray) {
          const answer = await browser.get(path, { headers });
          expect([path, headers, answer.status, answer.text]).toEqual([path, headers, 404, ""]);
        }
        expect((await browser.get(path)).status).toBe(200);
      }
      for (const path of ["/mails/..%2fapp.db", "/mails/notes.txt", `/mails/${crypto.randomUUID()}`])
        expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
    });
  });

  const elsewhere: Record<string, Record<string, string>> = {
    testing: { APP_ENV: "testing" },
    "local with a relay": { APP_ENV: "local", MAIL_DRIVER: "smtp", MAIL_SMTP_HOST: "127.0.0.1", MAIL_SMTP_PORT: "9" },
    staging: { APP_ENV: "staging", APP_URL: "https://auth.example.test", MAIL_DRIVER: "log" },
  };
  test.each(Object.keys(elsewhere))("A-12 do not exist in %s", async (name) => {
    await withTarget({ env: { ...local, LIGHTHOUSE_INSPECT_ENABLED: "false", ...elsewhere[name] } }, async (target) => {
      const browser = createClient(target.url);
      await browser.post(auth("register"), { email: "ada@example.test", password });
      if (name === "testing") {
        await untilLogged(target, '"message":"mail"');
      }
      for (const path of ["/mails", `/mails/${Bun.randomUUIDv7()}`, "/mails/assets/style.css"])
        expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
      expect(existsSync(folderOf(target))).toBe(false);
    });
  });
});
