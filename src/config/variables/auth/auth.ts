import { availableParallelism } from "node:os";
import { claimsInWords, isClaimName, type ClaimName } from "../../../core/people/claims.ts";
import {
  choice,
  domain,
  domains,
  email,
  flag,
  integer,
  mailedCodeLifetime,
  firstPasswordLifetime,
  mailedTokenLifetime,
  positiveDuration,
  text,
  list,
  type Kind,
} from "../kinds/kinds.ts";
import { impersonationVariables } from "./impersonation.ts";
import { passkeyVariables } from "./passkeys.ts";
import { pressureVariables } from "./pressure.ts";
import { waysVariables } from "./ways.ts";
import { variablesOf, whenSet, type Section } from "../kinds/variable.ts";
import { publicKeys, signingKey } from "../kinds/keys.ts";

const tokensAndCookies = variablesOf("Tokens and cookies");

const signingVariables = {
  jwtSecret: tokensAndCookies("API_JWT_SECRET_KEY", text, {
    description:
      "Signs refresh tokens, and access tokens where no private key does; at least 32 bytes. Generated locally",
    secret: true,
  }),
  jwtPreviousSecrets: tokensAndCookies("API_JWT_PREVIOUS_SECRET_KEYS", list, {
    fallback: "",
    description:
      "Earlier signing keys, comma-separated, in a file one a line: they verify but never sign, so that a key change signs nobody out",
    secret: true,
  }),
  jwtPrivateKey: tokensAndCookies("API_JWT_PRIVATE_KEY", signingKey, {
    optional: true,
    description:
      "Signs access tokens in place of API_JWT_SECRET_KEY, for other programs to verify: an Ed25519 or P-256 key in PEM (PKCS #8), its line breaks as they are or written \\n",
    secret: true,
  }),
  jwtPreviousPublicKeys: tokensAndCookies("API_JWT_PREVIOUS_PUBLIC_KEYS", publicKeys, {
    fallback: "",
    description:
      "Public halves of earlier and of coming private keys, in PEM, one after the other: they verify and are published but never sign",
  }),
} as const satisfies Section;

const secondFactors = variablesOf("Second factors");
const passwords = variablesOf("Passwords");
const registration = variablesOf("Registration");
const signInByMail = variablesOf("Sign-in by mail");
const emailVerification = variablesOf("Email verification");
const bootstrapAccount = variablesOf("Bootstrap account");

const mostClaims = 16;
/** Claims of access tokens; each once. */
const tokenClaims: Kind<readonly ClaimName[]> = {
  complaint(value) {
    const names = list.read(value);
    if (names.length > mostClaims) return `must be at most ${mostClaims} claims`;
    const strange = names.findIndex((name) => !isClaimName(name));
    return strange === -1 ? undefined : `must be a list of ${claimsInWords}: number ${strange + 1} is none of these`;
  },
  read: (value) => [...new Set(list.read(value).filter(isClaimName))],
};

export const authVariables = {
  ...signingVariables,
  personalTokensEnabled: tokensAndCookies("AUTH_PERSONAL_TOKENS_ENABLED", flag, {
    fallback: "false",
    description: "Lets people make tokens for their own scripts",
  }),
  tokenClaims: tokensAndCookies("AUTH_TOKEN_CLAIMS", tokenClaims, {
    fallback: "",
    description:
      "Claims that access tokens, introspection and X-Auth-Claims have besides: of roles, email, email_verified, name, external_id, org (the organization that the session acts for) and app_metadata.<key>",
  }),
  accessTtlMs: tokensAndCookies("AUTH_ACCESS_TOKEN_TTL", positiveDuration, {
    fallback: "15m",
    description: "Lifetime of an access token",
  }),
  sessionIdleTtlMs: tokensAndCookies("AUTH_SESSION_IDLE_TTL", positiveDuration, {
    fallback: "2h",
    description: "A session that is not remembered ends when unused for this long",
  }),
  sessionTtlMs: tokensAndCookies("AUTH_SESSION_TTL", positiveDuration, {
    fallback: "24h",
    description: "A session ends this long after the login, whatever happens",
  }),
  rememberSessionTtlMs: tokensAndCookies("AUTH_REMEMBER_SESSION_TTL", positiveDuration, {
    fallback: "720h",
    description: "The same for a remembered session",
  }),
  maxSessions: tokensAndCookies("AUTH_MAX_SESSIONS", integer(1, 1_000), {
    fallback: "100",
    description: "Sessions of one user at the same time; one more ends the oldest",
  }),
  cookieSecure: tokensAndCookies("AUTH_COOKIE_SECURE", choice("auto", "true", "false"), {
    fallback: "auto",
    description: "Secure attribute of the cookies; auto sets it when the request or APP_URL is https",
  }),
  cookieDomain: tokensAndCookies("AUTH_COOKIE_DOMAIN", domain, {
    optional: true,
    description:
      "Shares auth_access and auth_refresh with every host below this domain: the host of APP_URL or a parent of it. Without it they stay with their host",
  }),
  ...pressureVariables,
  mfaRequired: secondFactors("AUTH_MFA_REQUIRED", flag, {
    otherwise: ({ app, text }) => String(app.name === "admin" && text("APP_ENV") === "production"),
    description:
      "true: a session without a second factor may only set one up. false, but for the admin app in production",
  }),
  passwordMinLength: passwords("AUTH_PASSWORD_MIN_LENGTH", integer(8, 128), {
    fallback: "8",
    description: "Code points that a new password has at least",
  }),
  passwordMinLengthAlone: passwords("AUTH_PASSWORD_MIN_LENGTH_ALONE", integer(8, 128), {
    otherwise: ({ text }) => text("AUTH_PASSWORD_MIN_LENGTH"),
    description: "The same for accounts without a second factor: NIST SP 800-63B asks for 15. AUTH_PASSWORD_MIN_LENGTH",
  }),
  passwordless: passwords("AUTH_PASSWORDLESS", choice("off", "allowed"), {
    fallback: "off",
    description: "allowed: people with two passkeys may take the password off their account",
  }),
  passwordRequire: {
    upper: passwords("AUTH_PASSWORD_REQUIRE_UPPER", flag, {
      fallback: "false",
      description: "Asks for an upper-case letter",
    }),
    lower: passwords("AUTH_PASSWORD_REQUIRE_LOWER", flag, {
      fallback: "false",
      description: "Asks for a lower-case letter",
    }),
    number: passwords("AUTH_PASSWORD_REQUIRE_NUMBER", flag, {
      fallback: "false",
      description: "Asks for a digit",
    }),
    symbol: passwords("AUTH_PASSWORD_REQUIRE_SYMBOL", flag, {
      fallback: "false",
      description: "Asks for a symbol",
    }),
  },
  hashConcurrency: passwords("AUTH_PASSWORD_HASH_CONCURRENCY", integer(1, 256), {
    otherwise: () => String(availableParallelism()),
    description: "Password hashes computed at once. As many as there are cores",
  }),
  hashQueue: passwords("AUTH_PASSWORD_HASH_QUEUE", integer(0, 10_000), {
    fallback: "64",
    description: "How many more may wait; beyond it a login gets 503",
  }),
  passwordResetTtlMs: passwords("AUTH_PASSWORD_RESET_TTL", mailedTokenLifetime, {
    fallback: "1h",
    description: "How long a mailed reset token works",
  }),
  firstPasswordTtlMs: passwords("AUTH_FIRST_PASSWORD_TTL", firstPasswordLifetime, {
    fallback: "168h",
    description:
      "How long the link works by which a person chooses the first password of an account that a service, staff or an operator mails them: 720h at most",
  }),
  passwordResetReturnToken: passwords("AUTH_PASSWORD_RESET_RETURN_TOKEN", flag, {
    otherwise: ({ local }) => String(local),
    description: "Answers the reset token instead of mailing it. true locally; refused elsewhere but in testing",
  }),
  registrationEnabled: registration("AUTH_REGISTRATION_ENABLED", flag, {
    fallback: "true",
    description: "false: nobody makes an account by registering or by signing in with a provider; who has one goes on",
  }),
  registrationDomains: registration("AUTH_REGISTRATION_DOMAINS", domains, {
    fallback: "",
    description:
      "Domains whose addresses may register or be changed to, comma-separated, each exactly as it is; empty: any. Invitations go anywhere",
  }),
  emailLoginEnabled: signInByMail("AUTH_EMAIL_LOGIN_ENABLED", flag, {
    fallback: "false",
    description: "true: a mail with a link and a code signs people in, without a password",
  }),
  emailLoginTtlMs: signInByMail("AUTH_EMAIL_LOGIN_TTL", mailedCodeLifetime, {
    fallback: "10m",
    description: "How long the link and the code of that mail work, an hour at most",
  }),
  ...waysVariables,
  registerRequiresEmailVerification: emailVerification("AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION", flag, {
    fallback: "false",
    description: "A new account logs in only when its address is verified",
  }),
  emailVerificationTtlMs: emailVerification("AUTH_EMAIL_VERIFICATION_TTL", mailedTokenLifetime, {
    fallback: "24h",
    description: "How long a mailed verification token works",
  }),
  emailVerificationReturnToken: emailVerification("AUTH_EMAIL_VERIFICATION_RETURN_TOKEN", flag, {
    otherwise: ({ local }) => String(local),
    description: "Answers the verification token instead of mailing it. true locally; refused elsewhere but in testing",
  }),
  ...passkeyVariables,
  ...impersonationVariables,
  bootstrap: whenSet(["password"], {
    username: bootstrapAccount("AUTH_BOOTSTRAP_USERNAME", text, {
      otherwise: () => "admin",
      description: "Local and testing only: an account made at the start, with the role admin. admin",
    }),
    email: bootstrapAccount("AUTH_BOOTSTRAP_EMAIL", email, {
      otherwise: () => "admin@example.test",
      description: "Local and testing only: its address. admin@example.test",
    }),
    password: bootstrapAccount("AUTH_BOOTSTRAP_PASSWORD", text, {
      description: "Local and testing only: its password. Generated locally",
      secret: true,
    }),
  }),
} as const satisfies Section;
