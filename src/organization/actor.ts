import type { Client, SessionRow } from "../auth/index.ts";
import type { By } from "../core/audit.ts";
import { AppError } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import type { Statement } from "../drivers/database/index.ts";
import type { MemberRepository } from "./member.repository.ts";
import type { Organization, OrganizationRepository, OwnOrganization } from "./organization.repository.ts";
import type { Rank } from "./roles.ts";

/** Who acts: a person by what they are in the organization, or a service, an operator or a member of staff, who may do all. */
export type Actor =
  | {
      readonly kind: "person";
      readonly session: SessionRow;
      readonly client: Client;
    }
  | { readonly kind: "office"; readonly by: By };

export const byOf = (actor: Actor): By =>
  actor.kind === "person" ? { actor: "user", userId: actor.session.userId, origin: actor.client } : actor.by;

/** What an act may rest on: the organization as it was read, and the statements that hold the actor's right to it in a batch. */
export interface Standing {
  readonly organization: Organization;
  /** What the actor is in it; undefined for an office. */
  readonly own: OwnOrganization | undefined;
  readonly holds: readonly Statement[];
}

interface StandingOptions {
  readonly organizations: Pick<OrganizationRepository, "byId" | "ofMember">;
  readonly members: Pick<MemberRepository, "hold">;
}

/** Looks at what somebody may do in an organization. */
export const createStandings =
  ({ organizations, members }: StandingOptions) =>
  /** Throws `organization_not_found` for who is no member, as for an id that nothing has, and `forbidden` for too low a rank. */
  async (actor: Actor, id: string, least: Rank): Promise<Standing> => {
    if (!isId(id)) throw new AppError("organization_not_found");
    if (actor.kind === "office") {
      const organization = await organizations.byId(id);
      if (organization === undefined) throw new AppError("organization_not_found");
      return { organization, own: undefined, holds: [] };
    }
    const { id: sessionId, userId } = actor.session;
    const own = await organizations.ofMember(id, userId, sessionId);
    if (own === undefined) throw new AppError("organization_not_found");
    if (own.rank < least) throw new AppError("forbidden");
    return { organization: own, own, holds: least === 0 ? [] : [members.hold(id, userId, least)] };
  };

export type Standings = ReturnType<typeof createStandings>;

/** Whether the actor may do what is left to owners. */
export const actsAsOwner = ({ own }: Standing): boolean => own === undefined || own.rank === 2;
