import type { Config } from "../../../config/index.ts";
import type { Mail, Mailer } from "../../../drivers/mail/index.ts";
import { describeMail, openMailer } from "../../../drivers/mail/open.ts";
import { harmless } from "../../terminal/columns.ts";
import { command, exitCode, UsageError } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";

const address = /^[^\s@]+@[^\s@]+$/;

function testMail(to: string, { displayName, url }: Config["app"]): Mail {
  const paragraphs = [
    `This is a test of the mails of ${displayName}. An operator has asked for it by the command mail:test.`,
    `Whoever reads it gets the mails of ${url.origin}. Nothing has to be done.`,
  ];
  return {
    to,
    subject: `Test of the mails of ${displayName}`,
    text: `${paragraphs.join("\n\n")}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs.map((text) => `<p>${Bun.escapeHTML(text)}</p>`).join("")}</body></html>`,
  };
}

type Outcome = { readonly answer: string | null } | { readonly error: string };

/** Sends one mail at once, past the queue, so that the operator learns what the relay says to these settings. */
export const test = command({
  args: {
    address: {
      type: "positional",
      required: false,
      description: "Whom to send it to: an address whose mails you read",
    },
    greet: { type: "boolean", description: "Connect to the relay and sign in there alone, and send nothing" },
    json: jsonObject,
  },
  async run({ definition, terminal }, args) {
    const to = args.greet === true ? undefined : readAddress(args.address);
    if (to === undefined && args.address !== undefined) throw new UsageError("--greet sends nothing: give no address");
    const { config, log } = readSettings(definition, terminal, { onlyLooks: true });
    const { app, mail } = config;
    const mailer = openMailer(mail, log);
    const started = performance.now();
    const outcome = await attempt(() => (to === undefined ? greet(mailer) : mailer.send(testMail(to, app))));
    await mailer.close();
    const ms = Math.round(performance.now() - started);
    const isSent = "answer" in outcome;
    const facts = { to: to ?? null, ...describeMail(mail), ...outcome, ms };
    if (args.json === true) terminal.out(jsonLine({ ok: isSent, ...facts }));
    else if (isSent) terminal.out(inWords(facts));
    else terminal.err(inWords(facts));
    return isSent ? exitCode.done : exitCode.failed;
  },
});

function readAddress(given: string | undefined): string {
  if (given === undefined) throw new UsageError("ADDRESS is missing", "Or greet the relay alone: --greet");
  if (!address.test(given)) throw new UsageError(`${JSON.stringify(given)} is no email address`);
  return given;
}

async function greet(mailer: Mailer): Promise<undefined> {
  await mailer.greet?.();
}

async function attempt(act: () => ReturnType<Mailer["send"]>): Promise<Outcome> {
  try {
    return { answer: (await act()) ?? null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

type Facts = ReturnType<typeof describeMail> & Outcome & { readonly to: string | null; readonly ms: number };

function verdict(facts: Facts): string {
  if ("error" in facts)
    return facts.to === null ? `not greeted: ${facts.error}` : `not sent to ${facts.to}: ${facts.error}`;
  if (facts.driver === "log") return "written to the log and sent to nobody: MAIL_DRIVER=smtp sends mails";
  if (facts.to === null) return "the relay greets, and takes mail from here";
  return `sent to ${facts.to}; the relay said: ${facts.answer ?? "nothing"}`;
}

function inWords(facts: Facts): string {
  const { relay, tls, username, from, ms } = facts;
  const lines: readonly (readonly [name: string, text: string])[] = [
    ...(relay === undefined ? [] : [["relay", relay] as const]),
    ...(tls === undefined ? [] : [["security", tls] as const]),
    ...(username === undefined ? [] : [["user", username ?? "none"] as const]),
    ["from", from],
    ["took", `${ms} ms`],
  ];
  return [verdict(facts), ...lines.map(([name, text]) => `  ${name.padEnd(10)} ${text}`)].map(harmless).join("\n");
}
