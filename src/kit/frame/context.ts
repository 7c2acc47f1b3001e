import type { Viewer } from "../../auth/index.ts";
import type { Children, Html } from "../../http/pages/jsx-runtime.ts";
import type { Notice } from "./notices.ts";
import type { Speech } from "./speech.ts";
import type { Times } from "./times.ts";

/** What a page puts into the frame of its app. */
export interface PageContent {
  readonly title: string;
  /** The path of the navigation entry that the page belongs to. */
  readonly at?: string | undefined;
  readonly children: Children;
}

/** Everything that a page for a signed-in person knows of its request. */
export interface PersonContext {
  readonly request: Request;
  readonly viewer: Viewer;
  readonly speech: Speech;
  /** The name of the product for people. */
  readonly product: string;
  /** The token for every form of the page. */
  readonly token: string;
  /** The path of the page. */
  readonly path: string;
  /** The path of the pages of the viewer's own second step. */
  readonly twoStepPath: string;
  readonly times: Times;
  /** The result of the act that led here. */
  readonly notice: Notice | undefined;
  href(path: string): string;
  /** Makes a page of the content, in the frame of the app. */
  page(content: PageContent): Html;
}
