import type { Mail } from "../../drivers/mail/index.ts";
import type { MailLook } from "../../http/pages/brand/mail.look.ts";
import { isRightToLeft } from "../../words/index.ts";

/** The parts of a mail in the order in which they are read. Every text is plain text. */
export interface Letter {
  readonly language: string;
  readonly subject: string;
  readonly product: string;
  readonly look: MailLook;
  readonly greeting: string;
  readonly lead: string;
  readonly details: readonly { readonly label: string; readonly lines: readonly string[] }[];
  /** Whether the reader asked for the mail, and so came for the button. In a notice a quiet link follows the text that says whether to use it. */
  readonly wasAskedFor: boolean;
  readonly button?: { readonly label: string; readonly url: string; readonly copy: string } | undefined;
  /** A code that can be typed in place of pressing the button. It stands as high as can be: a preview of the mail shows it. */
  readonly code?: { readonly label: string; readonly digits: string } | undefined;
  readonly validity?: string | undefined;
  readonly otherwise: string;
  readonly reject?: { readonly label: string; readonly url: string } | undefined;
  readonly footer: string;
  readonly home: string;
}

const link = ({ label, url }: { label: string; url: string }): string => `${label}:\n${url}`;

function textOf(letter: Letter): string {
  const width = Math.max(0, ...letter.details.map(({ label }) => label.length)) + 2;
  const details = letter.details
    .map(({ label, lines }) => `${`${label}:`.padEnd(width)}${lines.join(`\n${"".padEnd(width)}`)}`)
    .join("\n");
  const code = letter.code && `${letter.code.label}\n${letter.code.digits}`;
  const action = [letter.button && link(letter.button), letter.validity];
  const otherwise = [letter.otherwise, letter.reject && link(letter.reject)];
  const end = `-- \n${letter.product}\n${letter.home}\n\n${letter.footer}`;
  const middle = letter.wasAskedFor ? [...action, ...otherwise] : [...otherwise, ...action];
  return `${[letter.greeting, letter.lead, code, details, ...middle, end].filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;
}

const escape = (text: string): string => Bun.escapeHTML(text);

/** The colours of a mail in the dark. Clients that know no dark mode, or drop the sheet, keep those that the elements have as well. */
const inTheDark = (dark: MailLook["dark"]): string =>
  dark === undefined
    ? ""
    : `
@media (prefers-color-scheme:dark){
.ground{background:${dark.ground} !important}
.surface{background:${dark.surface} !important;border-color:${dark.line} !important}
.text,.product{color:${dark.text} !important}
.soft{color:${dark.soft} !important}
.line{border-color:${dark.line} !important}
.button{background:${dark.accent} !important;color:${dark["on-accent"]} !important}
a.link{color:${dark.accent} !important}
.on-light{display:none !important}
.on-dark{display:inline-block !important}
}`;

const sheetOf = ({ colours, dark, schemes }: MailLook): string => `
:root{color-scheme:${schemes};supported-color-schemes:${schemes}}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}
a{color:${colours.accent}}
@media (max-width:480px){.pad{padding:24px 20px 8px !important}.edge{padding:16px 12px !important}.button{display:block !important;text-align:center}}${inTheDark(dark)}`;

/** Mail programs know no logical properties: the sides of a language are said by name. */
const sidesOf = ({ language }: Letter) =>
  isRightToLeft(language)
    ? ({ dir: "rtl", start: "right", end: "left" } as const)
    : ({ dir: "ltr", start: "left", end: "right" } as const);

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const paragraph = ({ look: { colours } }: Letter, content: string): string =>
  `<p class="text" style="margin:0 0 16px;color:${colours.text}">${content}</p>`;
const anchor = ({ look: { colours } }: Letter, url: string, content: string, more = ""): string =>
  `<a class="link" href="${escape(url)}" style="color:${colours.accent}"${more}>${content}</a>`;
/** An address reads from the left in every language. */
const addressOf = (letter: Letter, url: string): string => anchor(letter, url, escape(url), ' dir="ltr"');

function buttonOf(letter: Letter): string {
  const { button, look } = letter;
  const { colours, corners } = look;
  if (button === undefined) return "";
  const { label, url, copy } = button;
  const style = `display:inline-block;padding:12px 24px;border-radius:${corners.control}px;background:${colours.accent};color:${colours["on-accent"]}`;
  return `<p style="margin:24px 0 16px"><a class="button" href="${escape(url)}" style="${style};font-weight:600;text-decoration:none">${escape(label)}</a></p>
<p class="soft" style="margin:0 0 24px;font-size:13px;line-height:1.55;color:${colours.soft};overflow-wrap:anywhere;word-break:break-word">${escape(copy)}<br>${addressOf(letter, url)}</p>
`;
}

/** A quiet link: what has just happened is no reason for a large button. */
const wayOf = (letter: Letter): string =>
  letter.button === undefined
    ? ""
    : `${paragraph(letter, anchor(letter, letter.button.url, escape(letter.button.label)))}\n`;

function codeOf(letter: Letter): string {
  const { code, look } = letter;
  if (code === undefined) return "";
  return `${paragraph(letter, escape(code.label))}
<p class="text" style="margin:0 0 24px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:28px;line-height:1.2;font-weight:600;letter-spacing:4px;color:${look.colours.text}">${escape(code.digits)}</p>
`;
}

function detailsOf(letter: Letter): string {
  const { details, look } = letter;
  const [{ colours }, { start, end }] = [look, sidesOf(letter)];
  if (details.length === 0) return "";
  const rows = details.map(
    ({ label, lines }) =>
      `<tr><th class="soft" scope="row" style="padding:4px 0;padding-${end}:16px;font-weight:400;text-align:${start};vertical-align:top;white-space:nowrap;color:${colours.soft}">${escape(label)}</th><td class="text" style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere;color:${colours.text}">${lines.map(escape).join("<br>")}</td></tr>`,
  );
  return `<table class="line" style="width:100%;margin:0 0 16px;border-collapse:collapse;border-top:1px solid ${colours.line};border-bottom:1px solid ${colours.line};font-size:14px;line-height:1.55">
<tr><td colspan="2" style="height:8px"></td></tr>
${rows.join("\n")}
<tr><td colspan="2" style="height:8px"></td></tr>
</table>
`;
}

/**
 * Writes the product. A logo is a part of the mail, and its name stands beside it unless it holds it. The one for dark grounds is hidden
 * from programs that drop the sheet.
 */
function productOf(letter: Letter): string {
  const { product, look } = letter;
  const { logo, colours } = look;
  if (logo === undefined) return escape(product);
  const { shown, dark, hasName } = logo;
  const write = ({ image, width, height }: typeof shown, kind: string, style: string): string =>
    `<img${kind} src="cid:${escape(image.cid)}" width="${width}" height="${height}" alt="${hasName ? escape(product) : ""}" style="${style}border:0;vertical-align:middle;color:${colours.text}">`;
  const pictures =
    dark === undefined
      ? write(shown, "", "display:inline-block;")
      : write(shown, ' class="on-light"', "display:inline-block;") +
        write(dark, ' class="on-dark"', "display:none;mso-hide:all;");
  return hasName
    ? pictures
    : `${pictures}<span style="display:inline-block;padding-${sidesOf(letter).start}:12px;vertical-align:middle">${escape(product)}</span>`;
}

/** Writes the HTML: one column, no remote image, and nothing that is needed only in the sheet, since some clients drop it. */
function htmlOf(letter: Letter): string {
  const { language, subject, home, reject, look } = letter;
  const { colours, corners, schemes } = look;
  const { dir } = sidesOf(letter);
  const refusal = reject === undefined ? "" : ` ${anchor(letter, reject.url, escape(reject.label))}`;
  const otherwise = `${paragraph(letter, escape(letter.otherwise) + refusal)}\n`;
  const action = [
    letter.wasAskedFor ? buttonOf(letter) : wayOf(letter),
    letter.validity === undefined ? "" : `${paragraph(letter, escape(letter.validity))}\n`,
  ];
  return `<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${schemes}">
<meta name="supported-color-schemes" content="${schemes}">
<title>${escape(subject)}</title>
<style>${sheetOf(look)}</style>
</head>
<body class="ground" style="margin:0;background:${colours.ground};${font};font-size:16px;line-height:1.55" dir="${dir}">
<table role="presentation" class="ground" dir="${dir}" style="width:100%;border-collapse:collapse;background:${colours.ground}"><tr><td class="edge" style="padding:32px 16px">
<table role="presentation" style="width:100%;max-width:560px;margin:0 auto;border-collapse:separate;border-spacing:0">
<tr><td class="product" style="padding:0 0 16px;font-size:20px;line-height:1.2;font-weight:600;color:${colours.text}">${productOf(letter)}</td></tr>
<tr><td class="surface pad" style="padding:32px 32px 16px;background:${colours.surface};border:1px solid ${colours.line};border-radius:${corners.card}px">
${paragraph(letter, escape(letter.greeting))}
${paragraph(letter, escape(letter.lead))}
${codeOf(letter)}${detailsOf(letter)}${(letter.wasAskedFor ? [...action, otherwise] : [otherwise, ...action]).join("")}</td></tr>
<tr><td class="soft" style="padding:16px 0 0;font-size:13px;line-height:1.55;color:${colours.soft}">${escape(letter.footer)}<br>${addressOf(letter, home)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

const imagesOf = ({ shown, dark }: NonNullable<MailLook["logo"]>): NonNullable<Mail["images"]> =>
  dark === undefined ? [shown.image] : [shown.image, dark.image];

/** Makes the mail: the text holds everything, and the HTML only dresses it. */
export const mailOf = (to: string, letter: Letter): Mail => ({
  to,
  subject: letter.subject,
  text: textOf(letter),
  html: htmlOf(letter),
  ...(letter.look.logo && { images: imagesOf(letter.look.logo) }),
});
