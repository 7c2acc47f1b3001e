import { localPath } from "../../core/address/local.path.ts";

// A symbol can't come out of a parsed body: what merely looks like markup is none.
const safe = Symbol("html");

/** Markup that is safe to send as it is. Only this file makes it. */
export interface Html {
  readonly [safe]: string;
}

export const render = (page: Html): string => page[safe];

/** What may stand between tags. Text is escaped; what is false or absent leaves nothing. */
export type Children = Html | string | number | boolean | null | undefined | readonly Children[];

type Attribute = string | number | boolean | undefined;
type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => Html | null;

const empty: ReadonlySet<string> = new Set(["br", "hr", "img", "input", "link", "meta", "wbr"]);
const named = /^[a-zA-Z][\w-]*$/;
const addresses: ReadonlySet<string> = new Set(["action", "formaction", "href", "src"]);
const anyOrigin = "http://localhost";
/** The address of an icon that is empty, so that browsers ask for none. */
const emptyIcon = "data:,";

/** Whether an address is a path of this host, a query or a fragment of the page itself, or the empty icon. */
const isOwnAddress = (address: string): boolean =>
  address === emptyIcon || localPath(/^[?#]/.test(address) ? `/${address}` : address, anyOrigin) !== undefined;

function attribute(name: string, value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (!named.test(name)) throw new Error(`"${name}" is not an attribute`);
  if (value === true) return ` ${name}`;
  if (typeof value !== "string" && typeof value !== "number")
    throw new Error(`${name} holds neither text nor a number`);
  const text = String(value);
  if (addresses.has(name) && !isOwnAddress(text)) throw new Error(`${name} leads away from this host`);
  return ` ${name}="${Bun.escapeHTML(text)}"`;
}

/** A style sheet inside a page that has to stand alone. Only for texts of this program: nothing in it is escaped. */
export function inlineStyle(css: string): Html {
  if (css.includes("</")) throw new Error("a style sheet can't hold the end of its element");
  return markup(`<style>${css}</style>`);
}

/** A picture inside a page, that this program has drawn of shapes alone. */
export function inlineSvg(svg: string): Html {
  if (!/^<svg( [^<>]*)?>(<(path|rect|title)( [^<>]*)?(\/>|>[^<>]*<\/(path|rect|title)>))*<\/svg>$/.test(svg))
    throw new Error("a picture is made of shapes alone");
  return markup(svg);
}

const markup = (html: string): Html => ({ [safe]: html });
const isHtml = (value: object): value is Html => safe in value;

function inner(children: unknown): string {
  if (children === null || children === undefined || typeof children === "boolean") return "";
  if (typeof children === "string") return Bun.escapeHTML(children);
  if (typeof children === "number") return String(children);
  if (Array.isArray(children)) return children.map(inner).join("");
  if (typeof children === "object" && isHtml(children)) return children[safe];
  throw new Error("an object can't stand between tags");
}

/** What JSX compiles to: a page is written at once, on the server. `key` is for those who know it from elsewhere. */
export function jsx(type: string | Component, { children, ...attributes }: Props): Html {
  if (typeof type === "function") return type({ children, ...attributes }) ?? markup("");
  if (!named.test(type)) throw new Error(`"${type}" is not an element`);
  const open = Object.entries(attributes).map(([name, value]) => attribute(name, value));
  if (empty.has(type)) return markup(`<${type}${open.join("")}>`);
  return markup(`<${type}${open.join("")}>${inner(children)}</${type}>`);
}

export const jsxs = jsx;
export const jsxDEV = jsx;
export const Fragment = ({ children }: Props): Html => markup(inner(children));

type Attributes = { readonly [name: string]: Attribute | Children };

export declare namespace JSX {
  type Element = Html;
  type ElementType = string | ((props: never) => Html | null);
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: string | number;
  }
  interface IntrinsicElements {
    [tag: string]: Attributes;
  }
}
