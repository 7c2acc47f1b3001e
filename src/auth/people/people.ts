import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import type { Hindrance } from "../../core/people/standing.ts";
import type { Challenges } from "../factor/challenges.ts";
import type { TotpRepository } from "../factor/totp/totp.repository.ts";
import type { KeptElsewhere, StoredEvent, StoredIdentity } from "../flow/account/export.service.ts";
import type { Memberships } from "../flow/organization/memberships.ts";
import type { MailFates } from "../mail/fates.ts";
import type { Lock } from "../pressure/locks.ts";
import type { Liveness } from "../session/liveness.ts";
import { findNamed } from "../user/find.ts";
import type { UserRow } from "../user/user.repository.ts";
import { addressesOfFailures, eventsShown, type EventsOf } from "./standing/failed.addresses.ts";
import { troublesOf } from "./standing/troubles.ts";
import { createCounts } from "./counts.ts";
import { createList, type ListedIdentities } from "./list.ts";
import { summaryOf } from "./summary.ts";
import type { PeopleRepository } from "./people.repository.ts";
import type { Parts } from "../flow/parts.ts";

type PeopleOptions = Parts<"users" | "metadata" | "sessionRows" | "storedFactors" | "locks" | "clock"> & {
  readonly identities: KeptElsewhere["identities"] & ListedIdentities;
  readonly fates: Pick<MailFates, "ofUser">;
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
  readonly people: PeopleRepository;
  readonly liveness: Pick<Liveness, "flawOf">;
  readonly audit: EventsOf;
  readonly memberships: Pick<Memberships, "ofUser" | "demandOf">;
  readonly challenges: Pick<Challenges, "unanswered">;
  readonly totp: Pick<TotpRepository, "clockOf">;
};

const mailsShown = 20;

function hindranceOf({ why, until, count, address }: Lock, lastAddress: string | undefined): Hindrance {
  const from = address ?? lastAddress;
  return {
    why,
    ...(why === "blocked" ? {} : { until }),
    failures: count,
    ...(from === undefined ? {} : { address: from }),
  };
}

function wayIn(user: UserRow, identities: readonly StoredIdentity[]): readonly Hindrance[] {
  if (user.passwordHash !== null) return [];
  const providers = [...new Set(identities.map(({ provider }) => provider))];
  return [providers.length === 0 ? { why: "no_way_in" } : { why: "no_password", providers }];
}

/** Reads of accounts for staff, services and operators. */
export function createPeople(options: PeopleOptions) {
  const { config, users, metadata, people, sessionRows, liveness, locks } = options;
  const { storedFactors, fates, audit, identities, memberships, challenges, totp, clock } = options;

  /** Returns live sessions first, then the newest. Ended ones are kept for a day. */
  async function sessionsOf({ id, active }: UserRow) {
    const now = clock.now();
    const rows = await sessionRows.listStored(id);
    const judged = rows.map((row) => ({
      ...row,
      /** Whether the session opens anything now, as far as the idle time of the app goes that is asked. */
      isLive: liveness.flawOf({ ...row, userActive: active }, now) === undefined,
    }));
    return judged.toSorted((a, b) => Number(b.isLive) - Number(a.isLive));
  }

  /** Returns why the person can't sign in now, or not in every way; nothing when nothing is in the way. */
  async function standingOf(user: UserRow, identitiesOf: readonly StoredIdentity[], events: readonly StoredEvent[]) {
    const since = clock.now() - locks.remembersMs;
    const held = await locks.of(user, addressesOfFailures(events, since));
    const [lastAddress] = addressesOfFailures(events, 0);
    const organization = await memberships.demandOf?.(user);
    const mustProve = config.registerRequiresEmailVerification && user.emailVerifiedAt === null;
    const standing: readonly Hindrance[] = [
      ...(user.active === 1 ? [] : [{ why: "disabled" } as const]),
      ...held.map((lock) => hindranceOf(lock, lastAddress)),
      ...(mustProve ? [{ why: "address_not_proven" } as const] : []),
      ...(organization === undefined ? [] : [{ why: "provider_demanded", organization } as const]),
      ...wayIn(user, identitiesOf),
    ];
    return { standing, held };
  }

  return {
    list: createList({ people, locks, identities }),
    counts: createCounts({ people, locks }),
    /** Returns what apps keep on the accounts with these ids, those without anything left out. For services: it has the private objects. */
    metadataOf: metadata.ofUsers,
    /** Returns what apps keep on an account and its person may see. */
    openMetadataOf: metadata.openOf,

    /**
     * Shows everything of one account that staff who look after it may see: no secret and no hash. A login is a user name, an address or an
     * id. Throws `not_found`.
     */
    async show(login: string) {
      const user = await findNamed(users, login);
      if (user === undefined) throw new AppError("not_found");
      const [events, linked, sessions, mails, factors, recoveryCodesLeft, kept, organizations, unanswered, drift] =
        await Promise.all([
          audit.ofSubject(user.id, undefined, eventsShown),
          identities.listStored(user.id),
          sessionsOf(user),
          fates.ofUser(user.id, mailsShown),
          storedFactors.list(user.id),
          storedFactors.recoveryCodesLeft(user.id),
          metadata.openOf(user.id),
          memberships.ofUser(user.id),
          challenges.unanswered(user.id, user.lastLoginAt ?? 0),
          totp.clockOf(user.id),
        ]);
      const { standing, held } = await standingOf(user, linked, events);
      return {
        ...summaryOf(
          { ...user, displayNameKey: null },
          held.filter(({ why }) => why === "locked" || why === "blocked"),
        ),
        emailVerifiedAt: user.emailVerifiedAt,
        pendingEmail: user.pendingEmail,
        hasPassword: user.passwordHash !== null,
        factors,
        recoveryCodesLeft,
        metadata: kept,
        standing,
        /** What goes wrong although nothing is in the way, the likeliest cause of a call first. */
        troubles: troublesOf(
          { user, events, sessions, mails, unanswered, drift, recoveryCodesLeft, standing },
          clock.now(),
        ),
        sessions,
        identities: linked,
        organizations,
        mails,
        events,
      };
    },
  };
}

export type People = ReturnType<typeof createPeople>;
export type Person = Awaited<ReturnType<People["show"]>>;
export type PersonSession = Person["sessions"][number];
