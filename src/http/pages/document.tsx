/** @jsxImportSource #html */
import { isRightToLeft } from "../../words/index.ts";
import type { Look } from "./brand/look.ts";
import { inlineStyle, render, type Children, type Html } from "./jsx-runtime.ts";

interface DocumentProps {
  /** Default: `en`. */
  readonly language?: string;
  readonly title: string;
  /** The address of a style sheet, or an element of `inlineStyle`. */
  readonly style: string | Html;
  /** The schemes that the page has, as `color-scheme` says them. Default: both, as the reader's device is set. */
  readonly schemes?: string;
  /** The address of the picture for the browser's tab; none without. */
  readonly icon?: string;
  /** The address of a script that runs once the page has been parsed. */
  readonly script?: string | undefined;
  /** A script that is a module, and other modules that it loads: the browser asks for all of them at once. */
  readonly module?: { readonly href: string; readonly loads: readonly string[] };
  readonly children: Children;
}

/** The outermost part of every page. Search engines do not list it, and browsers ask for no other icon than that of the page. */
export const Document = ({
  language = "en",
  title,
  icon = "data:,",
  style,
  schemes = "light dark",
  script,
  module,
  children,
}: DocumentProps) => (
  <html lang={language} dir={isRightToLeft(language) ? "rtl" : undefined}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content={schemes} />
      <title>{title}</title>
      <link rel="icon" href={icon} />
      {typeof style === "string" ? <link rel="stylesheet" href={style} /> : style}
      {script !== undefined && <script src={script} defer />}
      {module !== undefined && (
        <>
          {module.loads.map((href) => (
            <link key={href} rel="modulepreload" href={href} />
          ))}
          <script type="module" src={module.href} />
        </>
      )}
    </head>
    <body>{children}</body>
  </html>
);

export const writeDocument = (page: Html): string => `<!doctype html>${render(page)}`;

interface PageStyleProps {
  readonly href: string;
  readonly look: Look;
}

/** The style sheet of the pages, followed by what an operator has chosen. The font is asked for at once, so that few see another before it. */
export const PageStyle = ({ href, look: { style, font } }: PageStyleProps) => (
  <>
    <link rel="stylesheet" href={href} />
    {font !== undefined && <link rel="preload" as="font" type="font/woff2" href={font} crossorigin="" />}
    {style !== "" && inlineStyle(style)}
  </>
);
