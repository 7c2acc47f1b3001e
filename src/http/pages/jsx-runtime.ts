import { localPath } from "../../core/address/local.path.ts";

// A parsed body can't hold a symbol, so an object from a client never counts as markup.
const safe = Symbol("html");

/** Markup that is safe to send as it is. Only this file makes such values. */
export interface Html {
  readonly [safe]: string;
}

export const render = (page: Html): string => page[safe];

/** The contents of an element. Text is escaped; false and absent values leave nothing. */
export type Children = Html | string | number | boolean | null | undefined | readonly Children[];

type Attribute = string | number | boolean | undefined;
type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => Html | null;

const empty: ReadonlySet<string> = new Set(["br", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const named = /^[a-zA-Z][\w-]*$/;
const addresses: ReadonlySet<string> = new Set(["action", "formaction", "href", "src", "srcset"]);
const anyOrigin = "http://localhost";
/** The address of an empty icon, which keeps browsers from asking for one. */
const emptyIcon = "data:,";

/** Whether an address is a path of this host, a query or a fragment of the page itself, or the empty icon. */
const isOwnAddress = (address: string): boolean =>
  address === emptyIcon || localPath(/^[?#]/.test(address) ? `/${address}` : address, anyOrigin) !== undefined;

/** Whether an address holds the picture itself, for an element that shows it as one: nothing in it can run there. */
const isInlinePicture = (element: string, address: string): boolean =>
  ["img", "source", "link"].includes(element) && /^data:image\/(?:png|svg\+xml);base64,[\w+/=]*$/.test(address);

function attribute(element: string, name: string, value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (!named.test(name)) throw new Error(`"${name}" is not an attribute`);
  if (value === true) return ` ${name}`;
  if (typeof value !== "string" && typeof value !== "number")
    throw new Error(`${name} holds neither text nor a number`);
  const text = String(value);
  if (addresses.has(name) && !isOwnAddress(text) && !isInlinePicture(element, text))
    throw new Error(`${name} leads away from this host`);
  return ` ${name}="${Bun.escapeHTML(text)}"`;
}

/** Makes a style sheet inside a page that has to stand alone. Only for texts of this program: nothing in them is escaped. */
export function inlineStyle(css: string): Html {
  if (css.includes("</")) throw new Error("a style sheet can't hold the end of its element");
  return markup(`<style>${css}</style>`);
}

/** Makes a picture inside a page. The program itself has drawn it, from shapes alone. */
export function inlineSvg(svg: string): Html {
  if (!/^<svg( [^<>]*)?>(<(path|rect|title)( [^<>]*)?(\/>|>[^<>]*<\/(path|rect|title)>))*<\/svg>$/.test(svg))
    throw new Error("a picture is made of shapes alone");
  return markup(svg);
}

/** A form that goes to another host, at an address that was registered beforehand: never one that only a request named. */
export function FormElsewhere({ action, children }: { readonly action: string; readonly children: Children }): Html {
  if (!/^https?:[/][/]/i.test(action)) throw new Error("a form elsewhere goes to a page");
  return markup(`<form method="post" action="${Bun.escapeHTML(action)}">${inner(children)}</form>`);
}

/** A link to a page elsewhere, whose address the operator has configured: never one that a request named. It opens beside this page. */
export function Elsewhere({ href, children }: { readonly href: string; readonly children: Children }): Html {
  if (!/^https?:[/][/]/i.test(href)) throw new Error("a link elsewhere leads to a page");
  return markup(`<a href="${Bun.escapeHTML(href)}" target="_blank" rel="noopener">${inner(children)}</a>`);
}

/** A link to an address that the operator has configured, here or elsewhere: never one that a request named. */
export function ConfiguredLink({ href, look, children }: ConfiguredLinkProps): Html {
  if (!isOwnAddress(href) && !/^https?:[/][/]/i.test(href)) throw new Error("a configured link leads to a page");
  const style = look === undefined ? "" : ` class="${Bun.escapeHTML(look)}"`;
  return markup(`<a${style} href="${Bun.escapeHTML(href)}">${inner(children)}</a>`);
}
interface ConfiguredLinkProps {
  readonly href: string;
  /** The classes of the link. */
  readonly look?: string;
  readonly children: Children;
}

/** A link to an address that a program has registered, which may be one of an app: never one that only a request named. */
export function OnwardLink({ href, children }: { readonly href: string; readonly children: Children }): Html {
  if (!/^[a-z][a-z\d+.-]*:/i.test(href) || /^(?:javascript|data|vbscript|blob):/i.test(href))
    throw new Error("a link leads on to a page or an app");
  return markup(`<a href="${Bun.escapeHTML(href)}" rel="noreferrer">${inner(children)}</a>`);
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

/**
 * The function that JSX compiles to. The server writes a page at once; `key` does nothing, and is there for those who know it from
 * elsewhere.
 */
export function jsx(type: string | Component, { children, ...attributes }: Props): Html {
  if (typeof type === "function") return type({ children, ...attributes }) ?? markup("");
  if (!named.test(type)) throw new Error(`"${type}" is not an element`);
  const open = Object.entries(attributes).map(([name, value]) => attribute(type, name, value));
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
