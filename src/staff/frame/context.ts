import type { By } from "../../core/audit.ts";
import type { StaffAct, StaffRole } from "../../core/people/staff.ts";
import type { KitFrame, PersonContext } from "../../kit/index.ts";
import type { StaffWords } from "../../words/staff.ts";

/** The path of the pages of the viewer's own second step. */
export const twoStepPath = "/two-step";

/** A page that the header links to. */
export interface NavigationLink {
  readonly path: string;
  readonly label: keyof StaffWords["frame"]["navigation"];
  /** The act that the page serves: a reader who may not do it sees no link. */
  readonly may: StaffAct;
}

/** The parts of every page that depend on the app alone. */
export interface StaffFrame extends KitFrame {
  /** The app and its environment: `admin · production`. */
  readonly place: string;
  readonly navigation: readonly NavigationLink[];
}

/** Everything that a page for staff knows of its request. */
export interface StaffContext extends PersonContext {
  readonly frame: StaffFrame;
  /** The words of the pages in the reader's language. */
  readonly words: StaffWords;
  /** Writes a whole number as the reader's language does. */
  count(value: number): string;
  /** Whether this request can reach a path of the app: behind a proxy, paths for operators look absent. */
  reaches(path: string): boolean;
  /** Whether the viewer may do something: pages show no button and no link to what they may not. */
  may(act: StaffAct): boolean;
  /** Whether the viewer may do something to an account with these roles. */
  mayTo(act: StaffAct, roles: readonly string[]): boolean;
  /** The author of the act, and the role by which they do it. */
  readonly by: By & { readonly actor: "staff"; readonly role: StaffRole };
  /** The query of the page's address. */
  readonly search: URLSearchParams;
}
