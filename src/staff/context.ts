import type { Viewer } from "../auth/index.ts";
import type { By } from "../core/audit.ts";
import type { Html } from "../http/pages/jsx-runtime.ts";
import type { Notice } from "./notices.ts";
import type { Times } from "./times.ts";

/** A page that the header links to. */
export interface NavigationLink {
  readonly path: string;
  readonly label: string;
}

/** What every page shows of the app itself. */
export interface StaffFrame {
  readonly product: string;
  /** The address of the product's picture. */
  readonly logo: string | undefined;
  /** The style sheet, and an operator's accent. */
  readonly style: Html;
  /** Which app of which environment it is: `admin · production`. */
  readonly place: string;
  /** ` · staging`; empty in production, which nobody there takes for anything else. */
  readonly stage: string;
  readonly navigation: readonly NavigationLink[];
  /** The address of a path of this app in a page: APP_URL may have a path in front. */
  href(path: string): string;
}

/** What a page for staff knows of the request that asks for it. */
export interface StaffContext {
  readonly frame: StaffFrame;
  readonly href: StaffFrame["href"];
  /** Whether a path of the app is there for this request: a proxy may keep those for operators from it. */
  reaches(path: string): boolean;
  readonly viewer: Viewer;
  /** For every form of the page. */
  readonly token: string;
  /** Who does it, for whatever is done. */
  readonly by: By;
  /** The path of the page, and what stands behind its question mark. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly times: Times;
  /** What the act before has done. */
  readonly notice: Notice | undefined;
}
