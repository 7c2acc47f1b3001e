import { afterEach, describe, expect, test } from "bun:test";
import { createLogMailer } from "../../src/drivers/mail/log.ts";
import type { Mail, Mailer } from "../../src/drivers/mail/index.ts";
import { openMailer } from "../../src/drivers/mail/open.ts";
import { createSmtpMailer, type SmtpConfig, type SmtpLimits } from "../../src/drivers/mail/smtp.ts";
import { startMailbox } from "../support/smtp.ts";
import { createRecordingLog } from "../support/log.ts";

const token = "Zm9yIGFkYSBvbmx5LCBub3QgZm9yIGFueSBsb2cgZmlsZQ";
const mail: Mail = {
  to: "ada@example.com",
  subject: "Reset your password",
  text: `Hello Ada,\n\nhttps://gatehouse.example/reset-password?token=${token}\n\nGrüße`,
  html: `<p>Hello Ada</p><p><a href="https://gatehouse.example/reset-password?token=${token}">Reset</a></p>`,
};

const forgeries: [string, Partial<Mail>][] = [
  ["a line break in the subject", { subject: "Hi\r\nBcc: eve@example.com" }],
  ["a lone line feed in the subject", { subject: "Hi\nBcc: eve@example.com" }],
  ["a NUL in the subject", { subject: "Hi\0" }],
  ["an endless subject", { subject: "x".repeat(1_000) }],
  ["a line break in the recipient", { to: "ada@example.com\r\nBcc: eve@example.com" }],
  ["a second recipient", { to: "ada@example.com,eve@example.com" }],
  ["a display name", { to: "Ada <eve@example.com>" }],
  ["a route in a quoted local part", { to: '"eve@evil.example x"@example.com' }],
  ["no address at all", { to: "ada" }],
  ["an endless recipient", { to: `${"a".repeat(300)}@example.com` }],
];

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function smtp(
  port: number,
  tls: SmtpConfig["smtp"]["tls"] = "auto",
  limits: Partial<SmtpLimits> = {},
  login = "",
  host = "127.0.0.1",
): Mailer {
  const mailer = createSmtpMailer(
    { from: "Gatehouse <no-reply@gatehouse.example>", smtp: { host, port, username: login, password: login, tls } },
    limits,
  );
  open.push(mailer.close);
  return mailer;
}

async function mailbox(options: Parameters<typeof startMailbox>[0] = {}) {
  const box = await startMailbox(options);
  open.push(box.stop);
  return box;
}

/** Starts a server that accepts connections and sends only the greeting. */
function listen(greeting: string | undefined) {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: (socket) => void (greeting && socket.write(greeting)), data() {} },
  });
  open.push(async () => server.stop(true));
  return server.port;
}

describe("mail by smtp", () => {
  test("arrives with a text and an html part, from the configured sender", async () => {
    const box = await mailbox();
    await smtp(box.port).send(mail);
    const received = await box.next("ada@example.com");
    expect(received.recipients).toEqual(["ada@example.com"]);
    expect(received.subject).toBe(mail.subject);
    expect(received.text.trim()).toBe(mail.text);
    expect(received.html.trim()).toBe(mail.html);
    expect(received.message.from).toMatchObject({ name: "Gatehouse", address: "no-reply@gatehouse.example" });
    expect(received.raw).toContain("multipart/alternative");
    expect(received.raw).toContain("Auto-Submitted: auto-generated");
  });

  test("many mails share few connections", async () => {
    let clients = 0;
    const box = await mailbox({
      onConnect: (_session, done) => {
        clients += 1;
        done();
      },
    });
    const mailer = smtp(box.port, "auto", { connections: 2 });
    const recipients = Array.from({ length: 12 }, (_, n) => `ada${n}@example.com`);
    await Promise.all(recipients.map((to) => mailer.send({ ...mail, to })));
    expect(
      box
        .all()
        .flatMap(({ recipients: [to] }) => to ?? [])
        .toSorted(),
    ).toEqual(recipients.toSorted());
    expect(clients).toBeLessThanOrEqual(2);
  });

  test("TLS off stays plain even where TLS is offered", async () => {
    const box = await mailbox({ disabledCommands: ["AUTH"] });
    await smtp(box.port, "off").send(mail);
    expect((await box.next()).secure).toBe(false);
  });

  test("TLS auto upgrades where TLS is offered", async () => {
    const box = await mailbox({ disabledCommands: ["AUTH"] });
    await smtp(box.port, "auto").send(mail);
    expect((await box.next()).secure).toBe(true);
  });

  // The address 0.0.0.0 reaches this host, but is no loopback address: it stands for a relay elsewhere.
  test("TLS auto sends nothing in the clear to a relay elsewhere", async () => {
    const box = await mailbox();
    await expect(smtp(box.port, "auto", {}, "", "0.0.0.0").send(mail)).rejects.toThrow("STARTTLS");
    expect(box.all()).toEqual([]);
  });

  test("TLS auto refuses a relay elsewhere whose certificate proves nothing", async () => {
    const box = await mailbox({ disabledCommands: ["AUTH"] });
    await expect(smtp(box.port, "auto", {}, "", "0.0.0.0").send(mail)).rejects.toThrow("certificate");
    expect(box.all()).toEqual([]);
  });

  test("TLS implicit speaks TLS from the first byte", async () => {
    const box = await mailbox({ secure: true, disabledCommands: ["AUTH"] });
    await smtp(box.port, "implicit").send(mail);
    expect((await box.next()).secure).toBe(true);
  });

  test("it logs in with the configured account, and a refusal does not repeat the password", async () => {
    const box = await mailbox({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === "relay" && password === "relay"
          ? done(null, { user: username })
          : done(new Error("Invalid login")),
    });
    await smtp(box.port, "off", {}, "relay").send(mail);
    await box.next("ada@example.com");
    const refused = smtp(box.port, "off", {}, "wrong-secret").send(mail);
    await expect(refused).rejects.toThrow("was not accepted");
    expect(await refused.catch(String)).not.toContain("wrong-secret");
  });

  test("a recipient that the relay refuses is a failure", async () => {
    const box = await mailbox({ onRcptTo: (_address, _session, done) => done(new Error("no such user")) });
    await expect(smtp(box.port).send(mail)).rejects.toThrow("no such user");
  });

  test("an unreachable server is a failure that names it, each time", async () => {
    const box = await startMailbox();
    await box.stop();
    const mailer = smtp(box.port, "auto", { timeoutMs: 500 });
    await expect(mailer.send(mail)).rejects.toThrow(`127.0.0.1:${box.port}`);
    await expect(mailer.send(mail)).rejects.toThrow("was not accepted");
  });

  test.each([
    ["never greets", undefined],
    ["greets and then falls silent", "220 mail.example ESMTP\r\n"],
  ])("a server that %s is given up on in time", async (_, greeting) => {
    const started = performance.now();
    await expect(smtp(listen(greeting), "off", { timeoutMs: 100 }).send(mail)).rejects.toThrow("was not accepted");
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("a delivery as a whole has a limit, and so has the wait for a connection", async () => {
    const mailer = smtp(listen(undefined), "off", { timeoutMs: 5_000, sendMs: 60, connections: 1, waiting: 1 });
    const outcomes = await Promise.allSettled([mailer.send(mail), mailer.send(mail), mailer.send(mail)]);
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : ""))).toEqual([
      expect.stringContaining("no delivery within 60 ms"),
      expect.stringContaining("no delivery within 60 ms"),
      expect.stringContaining("too many mails"),
    ]);
  });

  test.each(forgeries)("X-07 %s is refused before anything is sent", async (_, forged) => {
    const box = await mailbox();
    await expect(smtp(box.port).send({ ...mail, ...forged })).rejects.toThrow("mail refused");
    expect(box.all()).toEqual([]);
  });

  test("X-07 a body can't pull in a file or an address", async () => {
    const box = await mailbox();
    await smtp(box.port).send({ ...mail, text: "file:///etc/passwd", html: '<img src="file:///etc/passwd">' });
    expect((await box.next()).raw).not.toContain("root:");
  });
});

describe("mail to the log", () => {
  test("X-11 tells who would have got what, without the token", async () => {
    const log = createRecordingLog();
    await openMailer(
      { driver: "log", from: "", smtp: { host: "", port: 0, username: "", password: "", tls: "off" } },
      log,
    ).send(mail);
    expect(log.lines).toMatchObject([{ level: "info", fields: { to: mail.to, subject: mail.subject } }]);
    const text = String(log.lines[0]?.fields["text"]);
    expect(text).toContain("Hello Ada");
    expect(text).toContain("/reset-password?token=[redacted]");
    expect(JSON.stringify(log.lines)).not.toContain(token);
  });

  test("X-11 a token outside a link is left out too", async () => {
    const log = createRecordingLog();
    await createLogMailer({ log }).send({ ...mail, text: `Your code: ${token}.` });
    expect(log.lines[0]?.fields["text"]).toBe("Your code: [redacted].");
  });

  test("X-11 a code of six digits is left out of subject and text", async () => {
    const log = createRecordingLog();
    await createLogMailer({ log }).send({
      ...mail,
      subject: "483920 is your code for Shop",
      text: "Type 483920 there.",
    });
    expect(log.lines[0]?.fields).toMatchObject({
      subject: "[redacted] is your code for Shop",
      text: "Type [redacted] there.",
    });
  });

  test.each(forgeries)("X-07 %s is refused", async (_, forged) => {
    const log = createRecordingLog();
    await expect(createLogMailer({ log }).send({ ...mail, ...forged })).rejects.toThrow("mail refused");
    expect(log.lines).toEqual([]);
  });
});
