import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { misspeltNames } from "./misspelt.ts";
import { oauthProblems, readOAuth, type OAuthConfig } from "./oauth.ts";
import { createReader, type EnvironmentValues } from "./reader.ts";
import { ruleProblems, ruleWarnings } from "./rules.ts";
import { noSecretFiles, type SecretFiles } from "./secret.sources.ts";

export { resolveEnvironment } from "./environment.ts";
export type { OAuthConfig } from "./oauth.ts";
export type { Origin } from "./secret.sources.ts";
export { secretValues } from "./secret.values.ts";
export { variables } from "./variables.ts";

export type AppName = "app" | "admin";
export type Environment = "local" | "testing" | "staging" | "production";

/** Validated, frozen, read once at start. Durations are milliseconds. */
export interface Config {
  readonly app: {
    readonly name: AppName;
    readonly env: Environment;
    /** APP_DEBUG: 0 (off) to 3. */
    readonly debug: number;
    readonly url: URL;
    readonly key: string;
    readonly diagToken: string;
    readonly shutdownTimeoutMs: number;
    readonly drainDelayMs: number;
    readonly logFormat: "console" | "json";
  };
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly reusePort: boolean;
    /** CIDR blocks whose forwarding headers count. */
    readonly trustedProxies: readonly string[];
    readonly docsEnabled: boolean;
  };
  readonly metrics: {
    readonly enabled: boolean;
    /** Where they are served on ports of their own. */
    readonly host: string;
    /** Undefined: on the HTTP port alone. */
    readonly httpPort: number | undefined;
    readonly jobsPort: number;
    readonly schedulerPort: number;
  };
  readonly lighthouse: {
    /** Opens its pages; empty: there are none. */
    readonly secret: string;
    /** Whether what happens is recorded: asked for, and somebody can read it. */
    readonly recording: boolean;
    /** The file of the inspects. */
    readonly path: string;
    readonly maxTotal: number;
    readonly maxEvents: number;
    readonly maxBytes: number;
    /** Share of the requests, from 0 to 1. */
    readonly sampleRate: number;
  };
  readonly auth: {
    readonly jwtSecret: string;
    readonly jwtPreviousSecrets: readonly string[];
    readonly accessTtlMs: number;
    readonly sessionIdleTtlMs: number;
    readonly sessionTtlMs: number;
    readonly rememberSessionTtlMs: number;
    readonly cookieSecure: "auto" | "true" | "false";
    readonly registerRequiresEmailVerification: boolean;
    readonly lockout: { readonly attempts: number; readonly durationMs: number };
    readonly loginRateLimit: { readonly attempts: number; readonly durationMs: number };
    readonly ipRateLimit: { readonly attempts: number; readonly durationMs: number };
    readonly passwordResetTtlMs: number;
    readonly emailVerificationTtlMs: number;
    readonly passwordResetReturnToken: boolean;
    readonly emailVerificationReturnToken: boolean;
    readonly passwordMinLength: number;
    readonly passwordRequire: {
      readonly upper: boolean;
      readonly lower: boolean;
      readonly number: boolean;
      readonly symbol: boolean;
    };
    /** Password hashes computed at once, and how many may wait for a turn. */
    readonly hashConcurrency: number;
    readonly hashQueue: number;
    readonly bootstrap: { readonly username: string; readonly email: string; readonly password: string } | undefined;
  };
  readonly oauth: OAuthConfig;
  readonly database: { readonly driver: "sqlite"; readonly path: string };
  /** Named resources by name; `default` is always there. */
  readonly cache: Readonly<Record<string, { readonly driver: "memory" | "database" }>>;
  readonly events: Readonly<Record<string, { readonly driver: "inproc" }>>;
  readonly storage: Readonly<Record<string, { readonly driver: "local"; readonly path: string }>>;
  readonly maintenance: {
    readonly driver: "memory" | "cache";
    /** The cache that keeps the state, by name, for the cache driver. */
    readonly store: string;
    /** On from the start, until a start without it. */
    readonly enabled: boolean;
    readonly retryAfterMs: number;
  };
  readonly queue: {
    readonly resources: Readonly<Record<string, { readonly driver: "sync" | "database" }>>;
    /** Jobs that a worker runs at once, of all queues together. */
    readonly concurrency: number;
    readonly leaseMs: number;
    readonly shutdownTimeoutMs: number;
    readonly maxAttempts: number;
    /** How long dead letters are kept. */
    readonly retentionMs: number;
  };
  /** `disk` is the storage disk of `backup:daily`; without one there are none. */
  readonly backup: { readonly disk: string | undefined; readonly keep: number };
  readonly audit: { readonly retentionMs: number };
  readonly mail: {
    readonly driver: "log" | "smtp";
    readonly from: string;
    readonly smtp: {
      readonly host: string;
      readonly port: number;
      readonly username: string;
      readonly password: string;
      readonly tls: "auto" | "implicit" | "off";
    };
  };
}

/** What a process does alone, apart from the other roles. */
export type SplitRole = "api" | "worker" | "scheduler";

export interface LoadOptions {
  readonly app: AppName;
  readonly env: EnvironmentValues;
  /** What resolveEnvironment found out about the files with secrets. */
  readonly files?: SecretFiles;
  /** Given when the roles run in processes of their own, and this is one of them. */
  readonly role?: SplitRole | undefined;
  /** The folder of the binary: data in it would be left behind by the next release. */
  readonly releaseFolder?: string;
}

export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly string[];
      /** The variables that the configuration was read from, without an app's name in front. */
      readonly given: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    // A URL has no own fields to freeze.
    if (typeof inner === "object" && inner !== null && !(inner instanceof URL)) freeze(inner);
  }
  return Object.freeze(value);
}

/** Reads one app's configuration, or names everything that is wrong with it. Touches nothing but its arguments. */
export function loadConfig({ app, env, files = noSecretFiles, role, releaseFolder }: LoadOptions): LoadedConfig {
  const reader = createReader(app, env, files.unread);
  const environment = reader.choice("APP_ENV", ["local", "testing", "staging", "production"], "production");
  const local = environment === "local";
  const plainHttp = local || environment === "testing";
  const port = reader.integer("API_HTTP_PORT", app === "admin" ? 3001 : 3000);
  const config: Config = {
    app: {
      name: app,
      env: environment,
      debug: reader.debug("APP_DEBUG"),
      url: new URL(reader.text("APP_URL", `http://127.0.0.1:${port}`)),
      key: reader.text("APP_KEY"),
      diagToken: reader.text("APP_DIAG_TOKEN"),
      shutdownTimeoutMs: reader.durationMs("APP_SHUTDOWN_TIMEOUT"),
      drainDelayMs: reader.durationMs("APP_DRAIN_DELAY", local ? "0" : "500ms"),
      logFormat: reader.choice("APP_LOG_FORMAT", ["console", "json"], local ? "console" : "json"),
    },
    http: {
      host: reader.text("API_HTTP_HOST"),
      port,
      reusePort: reader.flag("API_HTTP_REUSE_PORT"),
      trustedProxies: reader.list("API_TRUSTED_PROXIES"),
      docsEnabled: reader.flag("API_DOCS_ENABLED", local),
    },
    metrics: {
      enabled: reader.flag("METRICS_ENABLED"),
      host: reader.text("METRICS_HOST"),
      httpPort: reader.isGiven("METRICS_HTTP_PORT") ? reader.integer("METRICS_HTTP_PORT") : undefined,
      jobsPort: reader.integer("METRICS_JOBS_PORT", app === "admin" ? 10_012 : 10_002),
      schedulerPort: reader.integer("METRICS_SCHEDULER_PORT", app === "admin" ? 10_011 : 10_001),
    },
    lighthouse: {
      secret: reader.text("LIGHTHOUSE_SECRET"),
      recording: reader.flag("LIGHTHOUSE_INSPECT_ENABLED", local) && reader.isGiven("LIGHTHOUSE_SECRET"),
      path: reader.text("LIGHTHOUSE_INSPECT_PATH", join(dirname(reader.text("DB_DATABASE")), `lighthouse-${app}.db`)),
      maxTotal: reader.integer("LIGHTHOUSE_INSPECT_MAX_TOTAL"),
      maxEvents: reader.integer("LIGHTHOUSE_INSPECT_MAX_EVENTS"),
      maxBytes: reader.integer("LIGHTHOUSE_INSPECT_MAX_BYTES"),
      sampleRate: reader.ratio("LIGHTHOUSE_INSPECT_SAMPLE_RATE"),
    },
    auth: {
      jwtSecret: reader.text("API_JWT_SECRET_KEY"),
      jwtPreviousSecrets: reader.list("API_JWT_PREVIOUS_SECRET_KEYS"),
      accessTtlMs: reader.durationMs("AUTH_ACCESS_TOKEN_TTL"),
      sessionIdleTtlMs: reader.durationMs("AUTH_SESSION_IDLE_TTL"),
      sessionTtlMs: reader.durationMs("AUTH_SESSION_TTL"),
      rememberSessionTtlMs: reader.durationMs("AUTH_REMEMBER_SESSION_TTL"),
      cookieSecure: reader.choice("AUTH_COOKIE_SECURE", ["auto", "true", "false"], "auto"),
      registerRequiresEmailVerification: reader.flag("AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION"),
      lockout: {
        attempts: reader.integer("AUTH_LOGIN_LOCKOUT_ATTEMPTS"),
        durationMs: reader.durationMs("AUTH_LOGIN_LOCKOUT_DURATION"),
      },
      loginRateLimit: {
        attempts: reader.integer("AUTH_LOGIN_RATE_LIMIT_ATTEMPTS"),
        durationMs: reader.durationMs("AUTH_LOGIN_RATE_LIMIT_DURATION"),
      },
      ipRateLimit: {
        attempts: reader.integer("AUTH_IP_RATE_LIMIT_ATTEMPTS"),
        durationMs: reader.durationMs("AUTH_IP_RATE_LIMIT_DURATION"),
      },
      passwordResetTtlMs: reader.durationMs("AUTH_PASSWORD_RESET_TTL"),
      emailVerificationTtlMs: reader.durationMs("AUTH_EMAIL_VERIFICATION_TTL"),
      passwordResetReturnToken: reader.flag("AUTH_PASSWORD_RESET_RETURN_TOKEN", local),
      emailVerificationReturnToken: reader.flag("AUTH_EMAIL_VERIFICATION_RETURN_TOKEN", local),
      passwordMinLength: reader.integer("AUTH_PASSWORD_MIN_LENGTH"),
      passwordRequire: {
        upper: reader.flag("AUTH_PASSWORD_REQUIRE_UPPER"),
        lower: reader.flag("AUTH_PASSWORD_REQUIRE_LOWER"),
        number: reader.flag("AUTH_PASSWORD_REQUIRE_NUMBER"),
        symbol: reader.flag("AUTH_PASSWORD_REQUIRE_SYMBOL"),
      },
      hashConcurrency: reader.integer("AUTH_PASSWORD_HASH_CONCURRENCY", availableParallelism()),
      hashQueue: reader.integer("AUTH_PASSWORD_HASH_QUEUE"),
      bootstrap: reader.isGiven("AUTH_BOOTSTRAP_PASSWORD")
        ? {
            username: reader.text("AUTH_BOOTSTRAP_USERNAME", "admin"),
            email: reader.text("AUTH_BOOTSTRAP_EMAIL", "admin@example.test"),
            password: reader.text("AUTH_BOOTSTRAP_PASSWORD"),
          }
        : undefined,
    },
    oauth: readOAuth(reader, plainHttp),
    database: { driver: "sqlite", path: reader.text("DB_DATABASE") },
    cache: reader.resources("CACHE", (cache) => ({ driver: cache.choice("DRIVER", ["memory", "database"], "memory") })),
    events: reader.resources("EVENTS", (events) => ({ driver: events.choice("DRIVER", ["inproc"], "inproc") })),
    storage: reader.resources("STORAGE", (storage) => ({
      driver: storage.choice("DRIVER", ["local"], "local"),
      path: storage.text("PATH", `data/${storage.name}`),
    })),
    maintenance: {
      driver: reader.choice("APP_MAINTENANCE_DRIVER", ["memory", "cache"], "memory"),
      store: reader.text("APP_MAINTENANCE_STORE"),
      enabled: reader.flag("APP_MAINTENANCE_ENABLED"),
      retryAfterMs: reader.durationMs("APP_MAINTENANCE_RETRY_AFTER"),
    },
    queue: {
      resources: reader.resources("QUEUE", (queue) => ({
        driver: queue.choice("DRIVER", ["database", "sync"], "database"),
      })),
      concurrency: reader.integer("QUEUE_CONCURRENCY"),
      leaseMs: reader.durationMs("QUEUE_LEASE"),
      shutdownTimeoutMs: reader.durationMs("QUEUE_SHUTDOWN_TIMEOUT"),
      maxAttempts: reader.integer("QUEUE_MAX_ATTEMPTS"),
      retentionMs: reader.durationMs("QUEUE_RETENTION"),
    },
    backup: { disk: reader.text("BACKUP_DISK") || undefined, keep: reader.integer("BACKUP_KEEP") },
    audit: { retentionMs: reader.durationMs("AUDIT_RETENTION") },
    mail: {
      driver: reader.choice("MAIL_DRIVER", ["log", "smtp"], "log"),
      from: reader.text("MAIL_FROM"),
      smtp: {
        host: reader.text("MAIL_SMTP_HOST"),
        port: reader.integer("MAIL_SMTP_PORT"),
        username: reader.text("MAIL_SMTP_USERNAME"),
        password: reader.text("MAIL_SMTP_PASSWORD"),
        tls: reader.choice("MAIL_SMTP_TLS", ["auto", "implicit", "off"], "auto"),
      },
    },
  };
  const runtime = { role, releaseFolder };
  const problems = [
    ...files.problems,
    ...reader.problems,
    ...ruleProblems(environment, reader, config, runtime),
    ...oauthProblems(reader, config.app.url, plainHttp),
  ];
  const slips = misspeltNames(env);
  // A slip may be why something is missing.
  if (problems.length > 0) return { ok: false, problems: [...new Set([...problems, ...slips])] };
  const warnings = [...files.warnings, ...slips, ...ruleWarnings(environment, reader, config, runtime)];
  return { ok: true, config: freeze(config), warnings, given: reader.given() };
}
