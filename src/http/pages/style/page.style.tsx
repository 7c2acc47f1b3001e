/** @jsxImportSource #html */
import { inlineStyle } from "../jsx-runtime.ts";

interface PageStyleProps {
  readonly href: string;
  /** Empty where the accent is our own. */
  readonly brandStyle: string;
}

/** The style sheet of the pages, followed by the style that an operator has chosen. */
export const PageStyle = ({ href, brandStyle }: PageStyleProps) => (
  <>
    <link rel="stylesheet" href={href} />
    {brandStyle !== "" && inlineStyle(brandStyle)}
  </>
);
