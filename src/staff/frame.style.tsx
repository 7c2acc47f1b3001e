/** @jsxImportSource #html */
import type { Html } from "../http/pages/jsx-runtime.ts";
import { PageStyle } from "../http/pages/page.style.tsx";

/** The style of every page: the sheet at this address, and after it what an operator has chosen in its place. */
export const frameStyle = (href: string, brandStyle: string): Html => <PageStyle href={href} brandStyle={brandStyle} />;
