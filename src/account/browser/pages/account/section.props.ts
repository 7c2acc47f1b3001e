import type { User } from "../../../../client/index.ts";
import type { Holdings } from "../../acts/holdings.ts";

/** The properties of every section of the account page. */
export interface SectionProps {
  /** The section's id in the page. */
  readonly id: string;
  readonly title: string;
  readonly user: User;
  readonly holdings: Holdings;
}
