import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";
import { runGatehouse } from "../../support/process.ts";
import { freePort } from "../../support/proxy.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";

const cwd = sharedFolder();
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox({
    allowInsecureAuth: true,
    onAuth: (_, __, done) => done(new Error("authentication failed")),
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith("nobody") ? Object.assign(new Error("no mailbox here"), { responseCode: 550 }) : null),
  });
});
afterAll(() => mailbox.stop());

const send = (address: string, env: Record<string, string> = {}, ...flags: string[]) =>
  runGatehouse(["mail:test", address, ...flags], {
    cwd,
    env: {
      ...testEnvironment(cwd),
      MAIL_DRIVER: "smtp",
      MAIL_SMTP_HOST: "127.0.0.1",
      MAIL_SMTP_PORT: String(mailbox.port),
      MAIL_FROM: "Acme <hello@acme.test>",
      APP_DISPLAY_NAME: "Acme & Co",
      ...env,
    },
  });

describe("mail:test", () => {
  test("sends a mail at once, without a database, and says what the relay answered and with which settings", async () => {
    const { code, stdout, stderr } = await send("ada@example.test");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^sent to ada@example\.test; the relay said: 250 /);
    expect(stdout).toContain(`relay      127.0.0.1:${mailbox.port}`);
    expect(stdout).toContain("from       Acme <hello@acme.test>");
    const { message, html } = await mailbox.next("ada@example.test");
    expect(message.subject).toBe("Test of the mails of Acme & Co");
    expect(html).toContain("Acme &amp; Co");
    const asJson = await send("ada@example.test", {}, "--json");
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      ok: true,
      to: "ada@example.test",
      driver: "smtp",
      relay: `127.0.0.1:${mailbox.port}`,
      tls: "STARTTLS where the relay offers it",
      username: null,
      answer: expect.stringMatching(/^250 /),
    });
  });

  test("C-64 fails with the words of a relay that refuses, never with the password", async () => {
    const signedIn = { MAIL_SMTP_USERNAME: "acme", MAIL_SMTP_PASSWORD: "hunter2 for the relay" };
    for (const [address, env, words] of [
      ["nobody@example.test", {}, "550 no mailbox here"],
      ["ada@example.test", { MAIL_SMTP_PORT: String(freePort()) }, "ECONNREFUSED"],
      ["ada@example.test", { MAIL_SMTP_TLS: "implicit" }, "not sent to ada@example.test"],
      ["ada@example.test", signedIn, "535 authentication failed"],
    ] as const) {
      const { code, stdout, stderr } = await send(address, env);
      expect({ address, env, code, stdout }).toEqual({ address, env, code: 1, stdout: "" });
      expect(stderr).toContain(words);
      expect(stderr).not.toContain("hunter2");
      const asJson = await send(address, env, "--json");
      expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, error: expect.any(String) });
      expect(asJson.stdout).not.toContain("hunter2");
    }
  });

  test("with --greet it connects and signs in there, as a mail would, and sends nothing", async () => {
    const before = mailbox.all().length;
    const greet = (env: Record<string, string> = {}) => send("--greet", env);
    expect(await greet()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^the relay greets/) });
    const signedIn = { MAIL_SMTP_USERNAME: "acme", MAIL_SMTP_PASSWORD: "hunter2 for the relay" };
    for (const [env, words] of [
      [{ MAIL_SMTP_PORT: String(freePort()) }, "ECONNREFUSED"],
      [{ MAIL_SMTP_TLS: "implicit" }, "not greeted"],
      [signedIn, "535 authentication failed"],
    ] as const) {
      const { code, stdout, stderr } = await greet(env);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(words) });
      expect(stderr).not.toContain("hunter2");
    }
    expect(mailbox.all()).toHaveLength(before);
    expect((await send("ada@example.test", {}, "--greet")).code).toBe(2);
  });

  test("says that the log sends nothing, and refuses what is no address", async () => {
    const { code, stdout } = await send("ada@example.test", { MAIL_DRIVER: "log" });
    expect(code).toBe(0);
    expect(stdout).toContain("sent to nobody: MAIL_DRIVER=smtp sends mails");
    expect((await send("ada")).code).toBe(2);
    expect((await send("ada@example.test,grace@example.test")).code).toBe(2);
  });
});
