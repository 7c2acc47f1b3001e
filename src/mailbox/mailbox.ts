import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { timestamp, type Clock } from "../core/clock.ts";
import { isId, newId } from "../core/ids.ts";
import { readBounded } from "../core/pace/stream.ts";
import type { Mail } from "../drivers/mail/index.ts";
import type { Storage } from "../drivers/storage/index.ts";

const KeptMail = Type.Object({
  id: Type.String(),
  at: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  /** Pictures of the HTML, in base64. */
  images: Type.Optional(
    Type.Array(
      Type.Object({ cid: Type.String(), type: Type.String({ pattern: "^image/[a-z]+$" }), body: Type.String() }),
    ),
  ),
});
export type KeptMail = Readonly<Static<typeof KeptMail>>;

export const mostMails = 100;
const mostBytes = 256 * 1024;

const fileOf = (id: string): string => `${id}.json`;

/**
 * Keeps the mails that the `log` driver would otherwise only write to the log, as files that all processes of a developer's machine share.
 * Ids sort by time, so that the file names alone tell which mails are the oldest.
 */
export function createMailbox({ disk, clock }: { readonly disk: Storage; readonly clock: Clock }) {
  async function ids(): Promise<string[]> {
    const { files } = await disk.list();
    return files
      .map(({ name }) => name.replace(/\.json$/, ""))
      .filter(isId)
      .toReversed();
  }

  async function find(id: string): Promise<KeptMail | undefined> {
    const file = isId(id) ? await disk.get(fileOf(id)) : undefined;
    if (file === undefined) return undefined;
    const tooLarge = (): Error => new Error(`the mail ${id} has more than ${mostBytes} bytes`);
    const stored = await readBounded(file.content, { mostBytes, tooLarge });
    const mail: unknown = JSON.parse(new TextDecoder().decode(stored));
    return Value.Check(KeptMail, mail) ? mail : undefined;
  }

  return {
    /** Keeps the mail and deletes those beyond the newest `mostMails`. Resolves to the id of the mail. */
    async keep({ to, subject, text, html, images = [] }: Mail): Promise<string> {
      const kept = images.map(({ cid, type, body }) => ({ cid, type, body: Buffer.from(body).toString("base64") }));
      const mail: KeptMail = { id: newId(), at: timestamp(clock.now()), to, subject, text, html, images: kept };
      await disk.put(fileOf(mail.id), new TextEncoder().encode(JSON.stringify(mail)));
      for (const id of (await ids()).slice(mostMails)) await disk.delete(fileOf(id));
      return mail.id;
    },

    find,

    /** Lists the mails, newest first, without those that another process deletes meanwhile. */
    async list(): Promise<readonly KeptMail[]> {
      const mails = await Promise.all((await ids()).slice(0, mostMails).map(find));
      return mails.filter((mail) => mail !== undefined);
    },
  };
}

export type Mailbox = ReturnType<typeof createMailbox>;
