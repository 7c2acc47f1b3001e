/** @jsxImportSource #html */
import type { FoundOrganization } from "../../organization/index.ts";
import type { StaffContext } from "../frame/context.ts";
import { Tag } from "../people/parts.tsx";

/** What every part of an organization's page is about. */
export interface AboutOrganization {
  readonly context: StaffContext;
  readonly organization: FoundOrganization;
}

/** What somebody has typed into a form of the page, with what is wrong with it. */
export interface TypedForm {
  readonly act: "add-member" | "owner";
  readonly login: string;
  readonly roles: string;
  readonly errors: Readonly<Record<string, string>>;
}

/** Says whether somebody can act as an owner. */
export const Ownership = ({ context, organization }: AboutOrganization) =>
  organization.activeOwners === 0 ? (
    <Tag tone="danger">{context.words.organizations.noOwner}</Tag>
  ) : (
    <>{context.count(organization.activeOwners)}</>
  );
