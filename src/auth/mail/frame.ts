import type { Accent } from "../../core/text/accent.ts";
import type { Mail } from "../../drivers/mail/index.ts";

/** The parts of a mail in the order in which they are read. Every text is plain text. */
export interface Letter {
  readonly language: string;
  readonly subject: string;
  readonly product: string;
  readonly accent: Accent;
  readonly greeting: string;
  readonly lead: string;
  readonly details: readonly { readonly label: string; readonly lines: readonly string[] }[];
  /** Whether the reader asked for the mail, and so came for the button. In a notice a quiet link follows the text that says whether to use it. */
  readonly wasAskedFor: boolean;
  readonly button?: { readonly label: string; readonly url: string; readonly copy: string } | undefined;
  /** A code that can be typed in place of pressing the button, which it precedes. */
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
  const action = [code, letter.button && link(letter.button), letter.validity];
  const otherwise = [letter.otherwise, letter.reject && link(letter.reject)];
  const end = `-- \n${letter.product}\n${letter.home}\n\n${letter.footer}`;
  const middle = letter.wasAskedFor ? [...action, ...otherwise] : [...otherwise, ...action];
  return `${[letter.greeting, letter.lead, details, ...middle, end].filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;
}

const escape = (text: string): string => Bun.escapeHTML(text);

/** Clients that know no dark mode, or drop the sheet, keep the light colours, which the elements have as well. */
const sheetOf = ({ light, dark, onDark }: Accent): string => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}
a{color:${light}}
@media (max-width:480px){.pad{padding:24px 20px 8px !important}.edge{padding:16px 12px !important}.button{display:block !important;text-align:center}}
@media (prefers-color-scheme:dark){
.ground{background:#121413 !important}
.surface{background:#1a1d1b !important;border-color:#2d322f !important}
.text,.product{color:#ecefec !important}
.soft{color:#a2aaa5 !important}
.line{border-color:#2d322f !important}
.button{background:${dark} !important;color:${onDark} !important}
a.link{color:${dark} !important}
}`;

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const paragraph = (content: string, kind = "text"): string =>
  `<p class="${kind}" style="margin:0 0 16px;${kind === "soft" ? "font-size:14px;color:#5a625e" : "color:#1b1f1d"}">${content}</p>`;
const anchor = ({ accent }: Letter, url: string, content: string): string =>
  `<a class="link" href="${escape(url)}" style="color:${accent.light}">${content}</a>`;

function buttonOf(letter: Letter): string {
  const { button, accent } = letter;
  if (button === undefined) return "";
  const { label, url, copy } = button;
  const style = `display:inline-block;padding:12px 24px;border-radius:8px;background:${accent.light};color:${accent.onLight}`;
  return `<p style="margin:24px 0 16px"><a class="button" href="${escape(url)}" style="${style};font-weight:600;text-decoration:none">${escape(label)}</a></p>
<p class="soft" style="margin:0 0 24px;font-size:13px;line-height:1.55;color:#5a625e;overflow-wrap:anywhere;word-break:break-word">${escape(copy)}<br>${anchor(letter, url, escape(url))}</p>
`;
}

/** A quiet link: what has just happened is no reason for a large button. */
const wayOf = (letter: Letter): string =>
  letter.button === undefined ? "" : `${paragraph(anchor(letter, letter.button.url, escape(letter.button.label)))}\n`;

const codeOf = ({ code }: Letter): string =>
  code === undefined
    ? ""
    : `${paragraph(escape(code.label))}
<p class="text" style="margin:0 0 24px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:28px;line-height:1.2;font-weight:600;letter-spacing:4px;color:#1b1f1d">${escape(code.digits)}</p>
`;

function detailsOf({ details }: Letter): string {
  if (details.length === 0) return "";
  const rows = details.map(
    ({ label, lines }) =>
      `<tr><th class="soft" scope="row" style="padding:4px 16px 4px 0;font-weight:400;text-align:left;vertical-align:top;white-space:nowrap;color:#5a625e">${escape(label)}</th><td class="text" style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere;color:#1b1f1d">${lines.map(escape).join("<br>")}</td></tr>`,
  );
  return `<table class="line" style="width:100%;margin:0 0 16px;border-collapse:collapse;border-top:1px solid #e3e3de;border-bottom:1px solid #e3e3de;font-size:14px;line-height:1.55">
<tr><td colspan="2" style="height:8px"></td></tr>
${rows.join("\n")}
<tr><td colspan="2" style="height:8px"></td></tr>
</table>
`;
}

/** Writes the HTML: one column, no remote image, and nothing that is needed only in the sheet, since some clients drop it. */
function htmlOf(letter: Letter): string {
  const { language, subject, product, home, reject } = letter;
  const refusal = reject === undefined ? "" : ` ${anchor(letter, reject.url, escape(reject.label))}`;
  const otherwise = `${paragraph(escape(letter.otherwise) + refusal)}\n`;
  const action = [
    codeOf(letter),
    letter.wasAskedFor ? buttonOf(letter) : wayOf(letter),
    letter.validity === undefined ? "" : `${paragraph(escape(letter.validity))}\n`,
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(subject)}</title>
<style>${sheetOf(letter.accent)}</style>
</head>
<body class="ground" style="margin:0;background:#f7f7f5;${font};font-size:16px;line-height:1.55">
<table role="presentation" class="ground" style="width:100%;border-collapse:collapse;background:#f7f7f5"><tr><td class="edge" style="padding:32px 16px">
<table role="presentation" style="width:100%;max-width:560px;margin:0 auto;border-collapse:separate;border-spacing:0">
<tr><td class="product" style="padding:0 0 16px;font-size:20px;line-height:1.2;font-weight:600;color:#1b1f1d">${escape(product)}</td></tr>
<tr><td class="surface pad" style="padding:32px 32px 16px;background:#ffffff;border:1px solid #e3e3de;border-radius:12px">
${paragraph(escape(letter.greeting))}
${paragraph(escape(letter.lead))}
${detailsOf(letter)}${(letter.wasAskedFor ? [...action, otherwise] : [otherwise, ...action]).join("")}</td></tr>
<tr><td class="soft" style="padding:16px 0 0;font-size:13px;line-height:1.55;color:#5a625e">${escape(letter.footer)}<br>${anchor(letter, home, escape(home))}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** Makes the mail: the text holds everything, and the HTML only dresses it. */
export const mailOf = (to: string, letter: Letter): Mail => ({
  to,
  subject: letter.subject,
  text: textOf(letter),
  html: htmlOf(letter),
});
