import type { Viewer } from "../../auth/index.ts";
import type { By } from "../../core/audit.ts";
import type { StaffAct, StaffRole } from "../../core/people/staff.ts";
import type { Mark } from "../../http/pages/brand/brand.ts";
import type { Words } from "../../words/index.ts";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import type { Notice } from "./notices.ts";
import type { Times } from "./times.ts";

/** The path of the pages of the viewer's own second step. */
export const twoStepPath = "/two-step";

/** Reads the URL of a request. Only the path and the query count: a proxy may have changed the host. */
export const urlOf = ({ url }: Request): URL => new URL(url, "http://localhost");

/** A page that the header links to. */
export interface NavigationLink {
  readonly path: string;
  readonly label: string;
  /** The act that the page serves: a reader who may not do it sees no link. */
  readonly may: StaffAct;
}

/** The parts of every page that depend on the app alone. */
export interface StaffFrame {
  readonly mark: Mark;
  readonly words: Words;
  /** The style sheet, and what an operator has chosen. */
  readonly style: Html;
  /** The schemes that the pages have, as `color-scheme` says them. */
  readonly schemes: string;
  /** The address of the script. */
  readonly script: string;
  /** The app and its environment: `admin · production`. */
  readonly place: string;
  /** The environment, such as ` · staging`; empty in production, where no mark is needed. */
  readonly stage: string;
  readonly navigation: readonly NavigationLink[];
  /** Returns the address of a path of this app for use in a page: APP_URL may have a path in front. */
  href(path: string): string;
}

/** Everything that a page for staff knows of its request. */
export interface StaffContext {
  readonly request: Request;
  readonly frame: StaffFrame;
  readonly href: StaffFrame["href"];
  /** Whether this request can reach a path of the app: behind a proxy, paths for operators look absent. */
  reaches(path: string): boolean;
  readonly viewer: Viewer;
  /** Whether the viewer may do something: pages show no button and no link to what they may not. */
  may(act: StaffAct): boolean;
  /** Whether the viewer may do something to an account with these roles. */
  mayTo(act: StaffAct, roles: readonly string[]): boolean;
  /** The token for every form of the page. */
  readonly token: string;
  /** The author of the act, and the role by which they do it. */
  readonly by: By & { readonly actor: "staff"; readonly role: StaffRole };
  /** The path of the page; `search` is its query. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly times: Times;
  /** The result of the act that led here. */
  readonly notice: Notice | undefined;
}
