import { greetableName, type UserRow } from "../../auth/index.ts";
import type { By, Occurrence } from "../../core/audit.ts";
import type { Statement } from "../../drivers/database/index.ts";

/** An organization whose provider may sign people in. */
export interface SpeakingOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The name by which rows and addresses know the provider, whatever the slug is. */
  readonly providerName: string;
  /** The proven domains: the provider speaks for addresses below them. */
  readonly domains: readonly string[];
  /** Whether one more person can be in it. */
  readonly hasRoom: boolean;
  readonly client: {
    readonly issuer: string;
    readonly clientId: string;
    /** Undefined where no key opens it. */
    readonly clientSecret: string | undefined;
    /** Changes with the settings. */
    readonly version: string;
  };
}

/** Returns what mails call the provider. Its owners have chosen the name: one that could be taken for a link must not come from us. */
export const nameInMails = ({ name, slug }: Pick<SpeakingOrganization, "name" | "slug">): string =>
  greetableName(name) ?? slug;

/** What signing in by providers has to know of organizations. Implemented by `organization`. */
export interface OrganizationSignIn {
  /** Returns the provider that an address or a row names, while its organization has a proven domain. */
  find(name: string): Promise<SpeakingOrganization | undefined>;
  /** A guard: the provider may speak for addresses below this domain. It locks the organization. */
  hold(organizationId: string, domain: string): Statement;
  /** Returns the providers that sign the person in, by their names in rows, with what people call their organizations. */
  namesOf(userId: string): Promise<ReadonlyMap<string, string>>;
  /** Whether the provider signs in to the account: that of a member with a proven address below the domain. */
  signsIn(organization: SpeakingOrganization, user: UserRow): Promise<boolean>;
  /** Makes the guards by which the provider is linked to an account without its person's asking; undefined where they have to ask. */
  linking(
    organization: SpeakingOrganization,
    user: UserRow,
    by: By,
  ): Promise<{ readonly statements: readonly Statement[]; readonly tell: readonly Occurrence[] } | undefined>;
}
