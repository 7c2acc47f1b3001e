/** @jsxImportSource #html */
import type { Html } from "../../http/pages/jsx-runtime.ts";
import { PageStyle } from "../../http/pages/style/page.style.tsx";

/** Returns the style of every page: the sheet at this address, followed by the style that an operator has chosen. */
export const frameStyle = (href: string, brandStyle: string): Html => <PageStyle href={href} brandStyle={brandStyle} />;
