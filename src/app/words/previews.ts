import { openWords } from "./open.ts";
import { createMailPreviews, type MailPreviews } from "../../auth/mail/previews.ts";
import type { Config } from "../../config/index.ts";
import { createBrand, type Brand } from "../../http/pages/brand/brand.ts";
import type { Log } from "../../observe/index.ts";
import type { Words } from "../../words/index.ts";

/** Shows the mails of an installation, in its words and looks. */
export const mailPreviewsOf = ({ app }: Pick<Config, "app">, words: Words, brand: Pick<Brand, "mail">): MailPreviews =>
  createMailPreviews({ appUrl: app.url, product: app.displayName, look: brand.mail, words });

/** Shows the mails of an installation to a command that needs nothing else of it. */
export async function openMailPreviews(config: Config, log: Log): Promise<MailPreviews> {
  const words = await openWords(config.app, log);
  return mailPreviewsOf(config, words, await createBrand(config.app, log));
}
