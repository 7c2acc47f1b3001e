import type { User } from "../../../../client/index.ts";
import type { Holdings } from "../../holdings.ts";

/** What every section of the account page gets. */
export interface SectionProps {
  /** Its id in the page. */
  readonly id: string;
  readonly title: string;
  readonly user: User;
  readonly holdings: Holdings;
}
