import { Type } from "@sinclair/typebox";
import type { Journal, OrganizationAuth } from "../../auth/index.ts";
import { hour } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { checkedHandler, type Job } from "../../core/job.ts";
import { tryAnew } from "../../core/pace/anew.ts";
import { byOf, type Actor, type Standings } from "../actor.ts";
import type { MemberRepository } from "../member.repository.ts";
import type { demandsOf } from "../memberships.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import { owner } from "../roles.ts";
import type { ProviderRepository } from "./provider.repository.ts";

interface SigningOutOptions {
  readonly providers: Pick<ProviderRepository, "find">;
  readonly organizations: Pick<OrganizationRepository, "hold">;
  readonly members: Pick<MemberRepository, "page">;
  readonly standingOf: Standings;
  readonly requiredProvider: ReturnType<typeof demandsOf>["requiredProvider"];
  readonly auth: Pick<OrganizationAuth, "journal" | "userById" | "endHeld" | "limitHourly" | "requireFreshProof">;
}

const jobName = "organization:sign-members-out";
const perHour = 6;
/** One job looks at this many members, and hands the rest on to the next. */
const membersAJob = 200;

const Payload = Type.Object({
  organization_id: Type.String(),
  /** The owner who has asked, and stays signed in. */
  asked_by: Type.Optional(Type.String()),
  /** The account after which the job begins. */
  after: Type.String(),
});

const jobOf = (payload: typeof Payload.static): Job => ({ name: jobName, payload, retryForMs: 24 * hour });

/**
 * Signs members out who were signed in before the organization began to demand its provider: they come back by it. Members
 * whom the demand excepts stay signed in, and so does the owner who asks.
 */
export function createSigningOut(options: SigningOutOptions) {
  const { providers, organizations, members, standingOf, requiredProvider, auth } = options;
  const journal: Journal = auth.journal;

  async function requireDemand(organizationId: string): Promise<void> {
    const provider = await providers.find(organizationId);
    if (provider === undefined) throw new AppError("provider_not_found");
    if (provider.enforced !== 1) throw new AppError("provider_not_enforced");
  }

  async function signOut(organizationId: string, userId: string, askedBy: string | undefined): Promise<void> {
    const user = userId === askedBy ? undefined : await auth.userById(userId);
    const required = user && (await requiredProvider?.(user));
    if (required?.organizationId !== organizationId) return;
    await auth.endHeld(userId, { actor: "user", ...(askedBy !== undefined && { userId: askedBy }), origin: undefined });
  }

  return {
    /** Throws `provider_not_found`, `provider_not_enforced`, `reauthentication_required` and `rate_limited`. */
    async ask(actor: Actor, id: string): Promise<void> {
      await standingOf(actor, id, owner);
      if (actor.kind === "person") await auth.requireFreshProof(actor.session);
      await requireDemand(id);
      await auth.limitHourly("sign-members-out", id, perHour);
      const askedBy = actor.kind === "person" ? { asked_by: actor.session.userId } : {};
      await tryAnew(async () => {
        const { holds } = await standingOf(actor, id, owner);
        const done = await journal.commit({
          statements: [organizations.hold(id, 0), ...holds],
          jobs: [jobOf({ organization_id: id, ...askedBy, after: "" })],
          tell: [{ topic: "organization.members-signed-out", payload: { organization_id: id }, by: byOf(actor) }],
        });
        return done.applied || undefined;
      });
    },

    jobs: {
      [jobName]: checkedHandler(Payload, async ({ organization_id: id, asked_by: askedBy, after }) => {
        const page = await members.page(id, after, membersAJob);
        for (const { userId } of page) await signOut(id, userId, askedBy);
        const last = page.length < membersAJob ? undefined : page.at(-1);
        if (last === undefined) return;
        const rest = { organization_id: id, after: last.userId, ...(askedBy !== undefined && { asked_by: askedBy }) };
        await journal.commit({ jobs: [jobOf(rest)] });
      }),
    },
  };
}
