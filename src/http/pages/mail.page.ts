import type { MailImage } from "../../drivers/mail/index.ts";

interface Dressed {
  readonly html: string;
  readonly images?: readonly (Pick<MailImage, "cid" | "type"> & { readonly body: string | Uint8Array })[] | undefined;
}

/** Returns the HTML of a mail as a page by itself: its pictures stand in it. A body that is a text is base64 already. */
export const mailAsPage = ({ html, images = [] }: Dressed): string =>
  images.reduce((page, { cid, type, body }) => {
    const inside = typeof body === "string" ? body : Buffer.from(body).toString("base64");
    return page.replaceAll(`cid:${Bun.escapeHTML(cid)}`, `data:${type};base64,${inside}`);
  }, html);
