import type { SentInvitation, UserDetails, UserSummary } from "./service.types.ts";
import type {
  AccountExport,
  Added,
  FactorName,
  Identity,
  Introspection,
  Invitation,
  Provider,
  PublicKey,
  Session,
  User,
} from "./model.ts";
import type {
  LoginChallenge,
  Mfa,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  TotpSetup,
} from "./factors.ts";

// Each guard checks the one field that tells a route's answer from any other. A test holds the rest of the types against the service's
// OpenAPI document.
export const nothing = (body: object): body is object => "ok" in body;
export const withUser = (body: object): body is { user: User } => "user" in body;
export const withMe = (body: object): body is { user: User; mfa_setup_required: boolean } => "user" in body;
export const withUserOrNone = (body: object): body is { user?: User; requires_email_verification?: true } =>
  "user" in body || "requires_email_verification" in body;
export const withSessions = (body: object): body is { sessions: Session[] } => "sessions" in body;
export const withIdentities = (body: object): body is { identities: Identity[] } => "identities" in body;
export const withProviders = (body: object): body is { providers: Provider[] } => "providers" in body;
export const withText = (body: object): body is { text: string } => "text" in body;
export const withResetToken = (body: object): body is { reset_token?: string } => "ok" in body;
export const withAdded = (body: object): body is { added: Added[] } => "added" in body;
export const withVerificationToken = (body: object): body is { verification_token?: string } => "ok" in body;
export const withChallenge = (body: object): body is LoginChallenge => "methods" in body;
export const withMfa = (body: object): body is Mfa => "passkeys" in body;
export const withTotpSetup = (body: object): body is TotpSetup => "otpauth_uri" in body;
export const withRecoveryCodes = (body: object): body is { recovery_codes: string[] } => "recovery_codes" in body;
export const withCreationOptions = (body: object): body is { options: PasskeyCreationOptions } => "options" in body;
export const withRequestOptions = (body: object): body is { options: PasskeyRequestOptions } => "options" in body;
export const withMethods = (body: object): body is { methods: FactorName[]; passkey_options?: PasskeyRequestOptions } =>
  "methods" in body;
export const withPasskey = (body: object): body is { passkey: Passkey } => "passkey" in body;
export const withExport = (body: object): body is AccountExport => "exported_at" in body;
export const withInvitation = (body: object): body is { invitation: Invitation } => "invitation" in body;
export const withLocation = (body: object): body is { location: string } => "location" in body;
export const withActivity = (body: object): body is Introspection => "active" in body;
export const withUsers = (body: object): body is { users: UserSummary[]; next: string | null } => "users" in body;
export const withDetails = (body: object): body is { user: UserDetails } => "user" in body;
export const withSummary = (body: object): body is { user: UserSummary } => "user" in body;
export const withChange = (body: object): body is { changed: boolean } => "changed" in body;
export const withCount = (body: object): body is { sessions_ended: number } => "sessions_ended" in body;
export const withSentInvitation = (body: object): body is { invitation: SentInvitation } => "invitation" in body;
export const withInvitations = (body: object): body is { invitations: SentInvitation[]; next: string | null } =>
  "invitations" in body;
export const withKeys = (body: object): body is { keys: PublicKey[] } => "keys" in body;
export const withHealth = (body: object): body is { status: "ok" } => "status" in body;
export const withReadiness = (body: object): body is { status: "ready" | "not_ready"; app: string } => "status" in body;
