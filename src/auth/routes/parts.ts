import type { Clock } from "../../core/clock.ts";
import type { BrowserBinding } from "../../http/index.ts";
import type { ClientOf } from "../client.ts";
import type { ChallengeService } from "../flow/factor/challenge.service.ts";
import type { DeletionService } from "../flow/account/deletion.service.ts";
import type { EmailSignIn } from "../flow/email.sign.in.service.ts";
import type { ExportService } from "../flow/account/export.service.ts";
import type { FactorService } from "../flow/factor/factor.service.ts";
import type { AcceptanceService } from "../flow/invitation/invitation.acceptance.ts";
import type { LoginService } from "../flow/login.service.ts";
import type { Impersonations } from "../impersonation/impersonations.ts";
import type { MailedLinks } from "../flow/mailed.links.ts";
import type { PasskeyLogin } from "../flow/factor/passkey.login.ts";
import type { PasskeyService } from "../flow/factor/passkey.service.ts";
import type { Passwordless } from "../flow/account/passwordless.ts";
import type { PasswordService } from "../flow/password.service.ts";
import type { ProfileService } from "../flow/account/profile.service.ts";
import type { ReauthenticationService } from "../flow/account/reauthentication.service.ts";
import type { RegistrationService } from "../flow/registration.service.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionService } from "../session/session.service.ts";
import type { TokenService } from "../flow/account/token.service.ts";
import type { VerificationService } from "../flow/verification.service.ts";
import type { AuthCookies } from "./session/cookies.ts";
import type { Deliveries } from "./session/delivery.ts";
import type { Guard } from "./session/guard.ts";
import type { MailBrowser } from "./session/mail.browser.ts";

/** The services whose flows are counted where routes and pages use them. */
export interface Services {
  readonly login: LoginService;
  readonly challenge: ChallengeService;
  readonly reauthentication: ReauthenticationService;
  readonly registration: RegistrationService;
  readonly profiles: ProfileService;
  readonly sessions: SessionService;
  readonly passwords: PasswordService;
  readonly passwordless: Passwordless;
  readonly verification: VerificationService;
  readonly deletion: DeletionService;
  readonly exports: ExportService;
  readonly acceptance: AcceptanceService;
  readonly factors: FactorService;
  readonly passkeys: PasskeyService;
  readonly passkeyLogin: PasskeyLogin;
  readonly emailSignIn: EmailSignIn;
  readonly tokens: TokenService;
  readonly links: MailedLinks;
}

interface AllParts extends Services {
  readonly pressure: Pressure;
  readonly impersonations: Impersonations;
  readonly cookies: AuthCookies;
  readonly deliveries: Deliveries;
  readonly browsers: BrowserBinding;
  readonly mailBrowser: MailBrowser;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly clock: Clock;
}

/** The parts with these names. Each table of routes names those that it uses, and is handed those alone. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name>;
