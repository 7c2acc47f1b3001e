// oxlint-disable-next-line import/no-unassigned-import -- what pages of a person share becomes one file
import "../../../personal.ts";
/** What the page of the account has in some installations alone. It is a file of its own. */
export { AppsSection } from "./apps.section.tsx";
export { OrganizationsSection } from "./organizations.section.tsx";
export { OwnersFirst } from "./owners.first.tsx";
export { TokensSection } from "./tokens.section.tsx";
