import type { SessionDebug } from "../../core/flaws.ts";
import type { Clock } from "../../core/clock.ts";
import type { JobMentions } from "../../drivers/queue/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Delegations } from "../delegation/delegations.ts";
import type { Challenges } from "../factor/challenges.ts";
import type { PasskeyParts } from "../factor/passkey/passkeys.ts";
import type { RecoveryRepository } from "../factor/recovery/recovery.repository.ts";
import type { StoredFactors } from "../factor/stored.factors.ts";
import type { TotpRepository } from "../factor/totp/totp.repository.ts";
import type { GrantRepository } from "../grant/grant.repository.ts";
import type { GrantService } from "../grant/grant.service.ts";
import type { InvitationRepository } from "../invitation/invitation.repository.ts";
import type { InvitationTokens } from "../invitation/invitation.tokens.ts";
import type { Journal } from "../journal.ts";
import type { MetadataRepository } from "../metadata/metadata.repository.ts";
import type { MailFates } from "../mail/fates.ts";
import type { PasswordHasher } from "../password/password.hash.ts";
import type { PasswordPolicy } from "../password/password.policy.ts";
import type { DeviceProofs } from "../pressure/device.proof.ts";
import type { Locks } from "../pressure/locks.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { Refusals } from "../pressure/refusals.ts";
import type { SessionRepository } from "../session/session.repository.ts";
import type { SessionService } from "../session/session.service.ts";
import type { TokenRepository } from "../token/token.repository.ts";
import type { UserRepository } from "../user/user.repository.ts";

/** What the rooms below give to flows and to acts on accounts. */
interface AllParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: Journal;
  readonly jobMentions: JobMentions;
  /** Called with each person who was let in, or whose registration was refused in silence, where inspects are on. */
  readonly watch: ((event: SessionDebug) => void) | undefined;
  readonly users: UserRepository;
  readonly metadata: MetadataRepository;
  readonly personalTokens: TokenRepository;
  readonly grants: GrantService;
  readonly grantRows: GrantRepository;
  readonly invitations: InvitationRepository;
  readonly tokens: InvitationTokens;
  readonly mails: MailFates;
  readonly hasher: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly challenges: Challenges;
  readonly storedFactors: StoredFactors;
  readonly totp: TotpRepository;
  readonly recovery: RecoveryRepository;
  readonly passkeyParts: PasskeyParts;
  readonly sessions: SessionService;
  readonly sessionRows: SessionRepository;
  readonly delegations: Delegations;
  readonly pressure: Pressure;
  readonly locks: Locks;
  readonly refusals: Refusals;
  readonly devices: DeviceProofs;
}

/** The parts with these names. Each flow names those that it uses besides other flows, and is handed those alone. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name>;
