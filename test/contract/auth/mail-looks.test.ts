import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPeople } from "../../support/auth.ts";
import { makePng } from "../../support/png.ts";
import { startMailbox, type ReceivedMail } from "../../support/smtp.ts";
import { startTarget } from "../../support/target.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-mail-looks-"));
const mailbox = await startMailbox();
afterAll(async () => {
  await mailbox.stop();
  await rm(folder, { recursive: true });
});
const file = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const [purple, pale, wide] = [
  makePng(160, 80, [107, 33, 168]),
  makePng(80, 80, [233, 213, 255]),
  makePng(900, 60, [0, 0, 0]),
];
const logo = file("logo.png", purple);
const dark = file("dark.png", pale);
const drawing = file("logo.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>');

/** Starts an app with these settings, and returns the mail that it sends to a new account. */
async function mailWith(env: Record<string, string>): Promise<ReceivedMail> {
  const mail = { MAIL_DRIVER: "smtp", MAIL_SMTP_HOST: "127.0.0.1", MAIL_SMTP_PORT: String(mailbox.port) };
  const target = await startTarget({
    env: { ...mail, APP_DISPLAY_NAME: "Ada's Shop", APP_URL: "https://id.example.test", ...env },
  });
  try {
    const ada = await createPeople(target.url).register("ada");
    return await mailbox.next(ada.email);
  } finally {
    await target.stop();
  }
}
const picturesOf = ({ html }: ReceivedMail): readonly string[] =>
  [...html.matchAll(/<img[^>]*>/g)].map(([each]) => each);
/** Leaves out what differs from one mail to the next: the link, and when it was made. */
const withoutDetails = (text: string): string =>
  text.replace(/token=[\w-]+/g, "token").replace(/\d{2}:\d{2} UTC/g, "time");

describe("A-16 the logo in a mail", () => {
  test("is a part of it, with the HTML, so that nothing is loaded to show it; the text says what it said before", async () => {
    const mail = await mailWith({ APP_LOGO_PATH: logo });
    const [plain, ...attached] = [await mailWith({}), ...mail.message.attachments];
    expect(attached).toHaveLength(1);
    expect(attached[0]).toMatchObject({
      contentId: "<logo@id.example.test>",
      disposition: "inline",
      related: true,
      mimeType: "image/png",
      filename: "logo.png",
    });
    expect(new Uint8Array(attached[0]?.content instanceof ArrayBuffer ? attached[0].content : [])).toEqual(purple);
    expect(picturesOf(mail)).toEqual([
      expect.stringMatching(/^<img src="cid:logo@id\.example\.test" width="80" height="40" alt="" style="[^"]*">$/),
    ]);
    expect(mail.html).not.toMatch(/(?:src|background)="(?!cid:)|url\(/);
    expect(mail.html).toContain(">Ada&#x27;s Shop</span>");
    expect(mail.raw).toMatch(
      /multipart\/alternative;[\s\S]*text\/plain[\s\S]*multipart\/related;[\s\S]*text\/html[\s\S]*image\/png/,
    );
    expect(withoutDetails(mail.text)).toBe(withoutDetails(plain.text));
    expect([plain.message.attachments, picturesOf(plain), plain.raw.includes("multipart/related")]).toEqual([
      [],
      [],
      false,
    ]);
  });

  test("has one for dark grounds, which programs that know none never show", async () => {
    const mail = await mailWith({ APP_LOGO_PATH: logo, APP_LOGO_DARK_PATH: dark });
    expect(mail.message.attachments.map(({ contentId }) => contentId)).toEqual([
      "<logo@id.example.test>",
      "<logo-dark@id.example.test>",
    ]);
    const [light = "", other = ""] = picturesOf(mail);
    expect(light).toContain('class="on-light" src="cid:logo@');
    expect(other).toMatch(
      /class="on-dark" src="cid:logo-dark@id\.example\.test" width="40" height="40" alt="" style="display:none;mso-hide:all;/,
    );
    expect(mail.html).toMatch(
      /@media \(prefers-color-scheme:dark\)\{[^]*\.on-light\{display:none !important\}\n\.on-dark\{display:inline-block !important\}/,
    );
  });

  test("stands alone where it holds the name, which is there for whoever sees no pictures; a wide one fits", async () => {
    const mail = await mailWith({ APP_LOGO_PATH: file("wide.png", wide), APP_LOGO_HAS_NAME: "true" });
    expect(picturesOf(mail)).toEqual([expect.stringContaining('width="280" height="19" alt="Ada&#x27;s Shop"')]);
    expect(mail.html).not.toContain("<span");
  });

  test("is none where it is a drawing: mail programs show no SVG", async () => {
    const mail = await mailWith({ APP_LOGO_PATH: drawing });
    expect([mail.message.attachments, picturesOf(mail)]).toEqual([[], []]);
    expect(mail.html).toContain(">Ada&#x27;s Shop</td>");
  });
});

describe("a mail", () => {
  test("has the colours and corners that an operator has chosen, in both schemes", async () => {
    const colours =
      ":root{--ground:#fdf6e3;--text:#1c2b33}@media (prefers-color-scheme:dark){:root{--surface:#141b31}}";
    const { html } = await mailWith({ APP_TOKENS_PATH: file("colours.css", colours), APP_RADIUS: "0" });
    expect(html).toContain('<body class="ground" style="margin:0;background:#fdf6e3;');
    expect(html).toContain("border-radius:0px");
    expect(html).not.toMatch(/#f7f7f5|#1b1f1d|border-radius:(?!0px)/);
    expect(html).toContain(".surface{background:#141b31 !important;border-color:#2d322f !important}");
  });

  test.each([
    ["light", "#f7f7f5", "logo@", "logo-dark@"],
    ["dark", "#121413", "logo-dark@", "logo@"],
  ])("is %s alone where pages are", async (theme, ground, shown, absent) => {
    const mail = await mailWith({ APP_THEME: theme, APP_LOGO_PATH: logo, APP_LOGO_DARK_PATH: dark });
    expect(mail.html).toContain(`<meta name="color-scheme" content="only ${theme}">`);
    expect(mail.html).toContain(`<body class="ground" style="margin:0;background:${ground};`);
    expect(mail.html).not.toContain("prefers-color-scheme");
    expect([mail.html.includes(`cid:${shown}`), mail.html.includes(`cid:${absent}`)]).toEqual([true, false]);
    expect(mail.message.attachments).toHaveLength(1);
  });
});
