export type VariableKind =
  | { readonly type: "text" }
  | { readonly type: "url" }
  | { readonly type: "email" }
  | { readonly type: "flag" }
  | { readonly type: "debug" }
  | { readonly type: "duration"; readonly minMs?: number }
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "list" }
  | { readonly type: "cidrs" };

export interface Variable {
  readonly name: string;
  readonly group: string;
  readonly kind: VariableKind;
  /** As it would be written in the environment; undefined when it has none. */
  readonly fallback: string | undefined;
  readonly description: string;
  readonly secret?: true;
}

const text = { type: "text" } as const;
const flag = { type: "flag" } as const;
const duration = { type: "duration" } as const;
const positiveDuration = { type: "duration", minMs: 1 } as const;
const count = { type: "integer", min: 1, max: 1_000_000 } as const;
const port = { type: "integer", min: 0, max: 65_535 } as const;
const choice = <const Of extends readonly string[]>(...of: Of) => ({ type: "choice", of }) as const;

/** Every variable there is. The README's table and `.env.example` are held against this one. */
export const variables = [
  { group: "Application", name: "APP_ENV", kind: choice("local", "testing", "staging", "production"), fallback: "local", description: "Which rules hold. Anything but local and testing refuses to start without its secrets" },
  { group: "Application", name: "APP_URL", kind: { type: "url" }, fallback: undefined, description: "Public URL. Locally the address it listens on" },
  { group: "Application", name: "APP_KEY", kind: text, fallback: undefined, description: "Application key. Generated locally", secret: true },
  { group: "Application", name: "APP_DIAG_TOKEN", kind: text, fallback: undefined, description: "Bearer token for readiness in detail. Generated locally", secret: true },
  { group: "Application", name: "APP_DEBUG", kind: { type: "debug" }, fallback: "false", description: "true, false or a level from 0 to 3: debug lines in the log" },
  { group: "Application", name: "APP_LOG_FORMAT", kind: choice("console", "json"), fallback: undefined, description: "How log lines look. console locally, else json" },
  { group: "Application", name: "APP_SHUTDOWN_TIMEOUT", kind: duration, fallback: "30s", description: "How long requests in flight may take after the listener has closed" },
  { group: "Application", name: "APP_DRAIN_DELAY", kind: duration, fallback: undefined, description: "How long a stopping process goes on serving, readiness already 503. 0 locally, else 500ms" },

  { group: "HTTP", name: "API_HTTP_HOST", kind: text, fallback: "127.0.0.1", description: "Address to listen on" },
  { group: "HTTP", name: "API_HTTP_PORT", kind: port, fallback: undefined, description: "Port to listen on: 3000, in the admin binary 3001; 0 takes any free one" },
  { group: "HTTP", name: "API_HTTP_REUSE_PORT", kind: flag, fallback: "false", description: "Lets several processes share the port" },
  { group: "HTTP", name: "API_TRUSTED_PROXIES", kind: { type: "cidrs" }, fallback: "", description: "CIDR blocks, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto count" },
  { group: "HTTP", name: "API_DOCS_ENABLED", kind: flag, fallback: undefined, description: "Serves /openapi. true locally, else false" },

  { group: "Tokens and cookies", name: "API_JWT_SECRET_KEY", kind: text, fallback: undefined, description: "Signs access tokens, at least 32 bytes. Generated locally", secret: true },
  { group: "Tokens and cookies", name: "API_JWT_PREVIOUS_SECRET_KEYS", kind: { type: "list" }, fallback: "", description: "Earlier signing keys, comma-separated: they verify but never sign, so that a key change signs nobody out", secret: true },
  { group: "Tokens and cookies", name: "AUTH_ACCESS_TOKEN_TTL", kind: positiveDuration, fallback: "15m", description: "Lifetime of an access token" },
  { group: "Tokens and cookies", name: "AUTH_SESSION_IDLE_TTL", kind: positiveDuration, fallback: "2h", description: "A session not remembered ends when unused for so long" },
  { group: "Tokens and cookies", name: "AUTH_SESSION_TTL", kind: positiveDuration, fallback: "24h", description: "A session ends so long after the login, whatever happens" },
  { group: "Tokens and cookies", name: "AUTH_REMEMBER_SESSION_TTL", kind: positiveDuration, fallback: "720h", description: "The same for a remembered session" },
  { group: "Tokens and cookies", name: "AUTH_COOKIE_SECURE", kind: choice("auto", "true", "false"), fallback: "auto", description: "Secure attribute of the cookies; auto sets it when the request or APP_URL is https" },

  { group: "Login pressure", name: "AUTH_LOGIN_LOCKOUT_ATTEMPTS", kind: { type: "integer", min: 1, max: 100 }, fallback: "5", description: "Wrong passwords in a row that lock an account" },
  { group: "Login pressure", name: "AUTH_LOGIN_LOCKOUT_DURATION", kind: positiveDuration, fallback: "15m", description: "How long it stays locked" },
  { group: "Login pressure", name: "AUTH_LOGIN_RATE_LIMIT_ATTEMPTS", kind: count, fallback: "10", description: "Logins tried with one name from one address" },
  { group: "Login pressure", name: "AUTH_LOGIN_RATE_LIMIT_DURATION", kind: positiveDuration, fallback: "15m", description: "Window of that limit" },
  { group: "Login pressure", name: "AUTH_IP_RATE_LIMIT_ATTEMPTS", kind: count, fallback: "100", description: "Registrations, resets and verifications from one address, each kind counted by itself" },
  { group: "Login pressure", name: "AUTH_IP_RATE_LIMIT_DURATION", kind: positiveDuration, fallback: "15m", description: "Window of that limit" },

  { group: "Passwords", name: "AUTH_PASSWORD_MIN_LENGTH", kind: { type: "integer", min: 8, max: 128 }, fallback: "8", description: "Code points that a new password has at least" },
  { group: "Passwords", name: "AUTH_PASSWORD_REQUIRE_UPPER", kind: flag, fallback: "false", description: "Asks for an upper-case letter" },
  { group: "Passwords", name: "AUTH_PASSWORD_REQUIRE_LOWER", kind: flag, fallback: "false", description: "Asks for a lower-case letter" },
  { group: "Passwords", name: "AUTH_PASSWORD_REQUIRE_NUMBER", kind: flag, fallback: "false", description: "Asks for a digit" },
  { group: "Passwords", name: "AUTH_PASSWORD_REQUIRE_SYMBOL", kind: flag, fallback: "false", description: "Asks for a symbol" },
  { group: "Passwords", name: "AUTH_PASSWORD_HASH_CONCURRENCY", kind: { type: "integer", min: 1, max: 256 }, fallback: undefined, description: "Password hashes computed at once. As many as there are cores" },
  { group: "Passwords", name: "AUTH_PASSWORD_HASH_QUEUE", kind: { type: "integer", min: 0, max: 10_000 }, fallback: "64", description: "How many more may wait; beyond it a login gets 503" },
  { group: "Passwords", name: "AUTH_PASSWORD_RESET_TTL", kind: positiveDuration, fallback: "1h", description: "How long a mailed reset token works" },
  { group: "Passwords", name: "AUTH_PASSWORD_RESET_RETURN_TOKEN", kind: flag, fallback: undefined, description: "Answers the reset token instead of mailing it. true locally; refused elsewhere but in testing" },

  { group: "Email verification", name: "AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION", kind: flag, fallback: "false", description: "A new account logs in only when its address is verified" },
  { group: "Email verification", name: "AUTH_EMAIL_VERIFICATION_TTL", kind: positiveDuration, fallback: "24h", description: "How long a mailed verification token works" },
  { group: "Email verification", name: "AUTH_EMAIL_VERIFICATION_RETURN_TOKEN", kind: flag, fallback: undefined, description: "Answers the verification token instead of mailing it. true locally; refused elsewhere but in testing" },

  { group: "Bootstrap account", name: "AUTH_BOOTSTRAP_USERNAME", kind: text, fallback: undefined, description: "Local only: an account made at the start. admin" },
  { group: "Bootstrap account", name: "AUTH_BOOTSTRAP_EMAIL", kind: { type: "email" }, fallback: undefined, description: "Local only: its address. admin@example.test" },
  { group: "Bootstrap account", name: "AUTH_BOOTSTRAP_PASSWORD", kind: text, fallback: undefined, description: "Local only: its password. Generated", secret: true },

  { group: "Database", name: "DB_DRIVER", kind: choice("sqlite"), fallback: "sqlite", description: "Database driver; production must name it" },
  { group: "Database", name: "DB_DATABASE", kind: text, fallback: "data/app.db", description: "Path of the SQLite file; absolute in production" },

  { group: "Queue", name: "QUEUE_DRIVER", kind: choice("database", "sync"), fallback: "database", description: "database keeps jobs with the data they belong to; sync runs them in the request. Production must name it" },
  { group: "Queue", name: "QUEUE_CONCURRENCY", kind: { type: "integer", min: 1, max: 256 }, fallback: "4", description: "Jobs that a worker runs at once" },
  { group: "Queue", name: "QUEUE_MAX_ATTEMPTS", kind: { type: "integer", min: 1, max: 100 }, fallback: "8", description: "Tries before a job is kept as a dead letter" },
  { group: "Queue", name: "QUEUE_SHUTDOWN_TIMEOUT", kind: duration, fallback: "30s", description: "How long jobs in hand may take after a stop was asked for" },

  { group: "Mail", name: "MAIL_DRIVER", kind: choice("log", "smtp"), fallback: "log", description: "log writes a line and sends nothing; production must name it" },
  { group: "Mail", name: "MAIL_FROM", kind: { type: "email" }, fallback: "no-reply@localhost.test", description: "Sender address" },
  { group: "Mail", name: "MAIL_SMTP_HOST", kind: text, fallback: "", description: "SMTP server" },
  { group: "Mail", name: "MAIL_SMTP_PORT", kind: { type: "integer", min: 1, max: 65_535 }, fallback: "587", description: "SMTP port" },
  { group: "Mail", name: "MAIL_SMTP_USERNAME", kind: text, fallback: "", description: "SMTP user, when the server asks for one" },
  { group: "Mail", name: "MAIL_SMTP_PASSWORD", kind: text, fallback: "", description: "SMTP password", secret: true },
  { group: "Mail", name: "MAIL_SMTP_TLS", kind: choice("auto", "implicit", "off"), fallback: "auto", description: "auto upgrades by STARTTLS, implicit speaks TLS from the start" },
] as const satisfies readonly Variable[];

export type VariableName = (typeof variables)[number]["name"];
