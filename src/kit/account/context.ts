import type { UserRow } from "../../auth/index.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import type { PersonContext } from "../frame/context.ts";
import type { KitFrame } from "../frame/frame.ts";

export const accountPath = "/account";
export const twoStepPath = "/account/two-step";

/** Everything that a page of one's own account knows of its request. */
export interface AccountContext extends PersonContext {
  readonly head: PageHead;
  readonly frame: KitFrame;
  readonly user: UserRow;
  /** Who looks at the account in its person's name, and may change nothing; null where the person does. */
  readonly impersonator: { readonly name: string } | null;
  /** The languages that the browser asks for (BCP 47). */
  readonly tags: readonly string[];
  readonly requestId: string;
}
