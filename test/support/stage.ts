import { afterAll } from "bun:test";
import type { SMTPServerOptions } from "smtp-server";
import { calm, createPeople, mailTo } from "./auth.ts";
import { createClient, type Client } from "./client.ts";
import { openRows, type Rows } from "./rows.ts";
import { startMailbox, type Mailbox } from "./smtp.ts";
import { startTarget, type Target, type TargetOptions } from "./target.ts";

export interface Stage {
  readonly target: Target;
  readonly rows: Rows;
  /** The mailbox that receives the target's mails. */
  readonly mailbox: Mailbox;
  readonly people: ReturnType<typeof createPeople>;
  /** Returns another browser, without cookies. */
  browser(): Client;
}

export interface StageOptions extends TargetOptions {
  /** What the mailbox does other than taking every mail. */
  readonly smtp?: SMTPServerOptions;
}

export interface StartedStage extends Stage {
  stop(): Promise<void>;
}

/** Starts a stage. The caller stops it. */
export async function startStage({ env, smtp, ...options }: StageOptions = {}): Promise<StartedStage> {
  const mailbox = await startMailbox(smtp);
  const target = await startTarget({ ...options, env: { ...calm, ...mailTo(mailbox), ...env } });
  const rows = openRows(target.databasePath);
  return {
    target,
    rows,
    mailbox,
    people: createPeople(target.url),
    browser: () => createClient(target.url),
    async stop() {
      rows.close();
      await target.stop();
      await mailbox.stop();
    },
  };
}

/**
 * Starts what the tests of a file or of a describe block share, and stops it after the last of them: `const { target, people } = await
 * stage({ env: … })`. The settings are those of `calm`, with mail to the mailbox, and `env` on top. A test that needs its own target calls
 * startTarget.
 */
export async function stage(options: StageOptions = {}): Promise<Stage> {
  const { stop, ...staged } = await startStage({ ...options, shared: true });
  afterAll(stop);
  return staged;
}
