import { availableParallelism } from "node:os";
import { choice, domain, email, flag, integer, mailedTokenLifetime, positiveDuration, text } from "./kinds.ts";
import { pressureVariables } from "./pressure.ts";
import { signingVariables } from "./signing.ts";
import { whenSet, type Section } from "./variable.ts";

export const authVariables = {
  ...signingVariables,
  accessTtlMs: {
    group: "Tokens and cookies",
    name: "AUTH_ACCESS_TOKEN_TTL",
    kind: positiveDuration,
    fallback: "15m",
    description: "Lifetime of an access token",
  },
  sessionIdleTtlMs: {
    group: "Tokens and cookies",
    name: "AUTH_SESSION_IDLE_TTL",
    kind: positiveDuration,
    fallback: "2h",
    description: "A session that is not remembered ends when unused for this long",
  },
  sessionTtlMs: {
    group: "Tokens and cookies",
    name: "AUTH_SESSION_TTL",
    kind: positiveDuration,
    fallback: "24h",
    description: "A session ends this long after the login, whatever happens",
  },
  rememberSessionTtlMs: {
    group: "Tokens and cookies",
    name: "AUTH_REMEMBER_SESSION_TTL",
    kind: positiveDuration,
    fallback: "720h",
    description: "The same for a remembered session",
  },
  maxSessions: {
    group: "Tokens and cookies",
    name: "AUTH_MAX_SESSIONS",
    kind: integer(1, 1_000),
    fallback: "100",
    description: "Sessions of one user at the same time; one more ends the oldest",
  },
  cookieSecure: {
    group: "Tokens and cookies",
    name: "AUTH_COOKIE_SECURE",
    kind: choice("auto", "true", "false"),
    fallback: "auto",
    description: "Secure attribute of the cookies; auto sets it when the request or APP_URL is https",
  },
  cookieDomain: {
    group: "Tokens and cookies",
    name: "AUTH_COOKIE_DOMAIN",
    kind: domain,
    optional: true,
    description:
      "Shares auth_access and auth_refresh with every host below this domain: the host of APP_URL or a parent of it. Without it they stay with their host",
  },
  ...pressureVariables,
  mfaRequired: {
    group: "Second factors",
    name: "AUTH_MFA_REQUIRED",
    kind: flag,
    otherwise: ({ app, text }) => String(app.name === "admin" && text("APP_ENV") === "production"),
    description:
      "true: a session without a second factor may only set one up. false, but for the admin app in production",
  },
  passwordMinLength: {
    group: "Passwords",
    name: "AUTH_PASSWORD_MIN_LENGTH",
    kind: integer(8, 128),
    fallback: "8",
    description: "Code points that a new password has at least",
  },
  passwordRequire: {
    upper: {
      group: "Passwords",
      name: "AUTH_PASSWORD_REQUIRE_UPPER",
      kind: flag,
      fallback: "false",
      description: "Asks for an upper-case letter",
    },
    lower: {
      group: "Passwords",
      name: "AUTH_PASSWORD_REQUIRE_LOWER",
      kind: flag,
      fallback: "false",
      description: "Asks for a lower-case letter",
    },
    number: {
      group: "Passwords",
      name: "AUTH_PASSWORD_REQUIRE_NUMBER",
      kind: flag,
      fallback: "false",
      description: "Asks for a digit",
    },
    symbol: {
      group: "Passwords",
      name: "AUTH_PASSWORD_REQUIRE_SYMBOL",
      kind: flag,
      fallback: "false",
      description: "Asks for a symbol",
    },
  },
  hashConcurrency: {
    group: "Passwords",
    name: "AUTH_PASSWORD_HASH_CONCURRENCY",
    kind: integer(1, 256),
    otherwise: () => String(availableParallelism()),
    description: "Password hashes computed at once. As many as there are cores",
  },
  hashQueue: {
    group: "Passwords",
    name: "AUTH_PASSWORD_HASH_QUEUE",
    kind: integer(0, 10_000),
    fallback: "64",
    description: "How many more may wait; beyond it a login gets 503",
  },
  passwordResetTtlMs: {
    group: "Passwords",
    name: "AUTH_PASSWORD_RESET_TTL",
    kind: mailedTokenLifetime,
    fallback: "1h",
    description: "How long a mailed reset token works",
  },
  passwordResetReturnToken: {
    group: "Passwords",
    name: "AUTH_PASSWORD_RESET_RETURN_TOKEN",
    kind: flag,
    otherwise: ({ local }) => String(local),
    description: "Answers the reset token instead of mailing it. true locally; refused elsewhere but in testing",
  },
  registrationEnabled: {
    group: "Registration",
    name: "AUTH_REGISTRATION_ENABLED",
    kind: flag,
    fallback: "true",
    description: "false: nobody makes an account by registering or by signing in with a provider; who has one goes on",
  },
  registerRequiresEmailVerification: {
    group: "Email verification",
    name: "AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION",
    kind: flag,
    fallback: "false",
    description: "A new account logs in only when its address is verified",
  },
  emailVerificationTtlMs: {
    group: "Email verification",
    name: "AUTH_EMAIL_VERIFICATION_TTL",
    kind: mailedTokenLifetime,
    fallback: "24h",
    description: "How long a mailed verification token works",
  },
  emailVerificationReturnToken: {
    group: "Email verification",
    name: "AUTH_EMAIL_VERIFICATION_RETURN_TOKEN",
    kind: flag,
    otherwise: ({ local }) => String(local),
    description: "Answers the verification token instead of mailing it. true locally; refused elsewhere but in testing",
  },
  webauthnRpId: {
    group: "Second factors",
    name: "AUTH_WEBAUTHN_RP_ID",
    kind: domain,
    optional: true,
    description:
      "Whom passkeys are made for: the host of APP_URL, which is the default, or a parent of it, so that both apps take the same ones. A change makes passkeys useless",
  },
  bootstrap: whenSet(["password"], {
    username: {
      group: "Bootstrap account",
      name: "AUTH_BOOTSTRAP_USERNAME",
      kind: text,
      otherwise: () => "admin",
      description: "Local and testing only: an account made at the start, with the role admin. admin",
    },
    email: {
      group: "Bootstrap account",
      name: "AUTH_BOOTSTRAP_EMAIL",
      kind: email,
      otherwise: () => "admin@example.test",
      description: "Local and testing only: its address. admin@example.test",
    },
    password: {
      group: "Bootstrap account",
      name: "AUTH_BOOTSTRAP_PASSWORD",
      kind: text,
      description: "Local and testing only: its password. Generated locally",
      secret: true,
    },
  }),
} as const satisfies Section;
