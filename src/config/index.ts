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
    readonly passwordRequire: { readonly upper: boolean; readonly lower: boolean; readonly number: boolean; readonly symbol: boolean };
    /** Password hashes computed at once, and how many may wait for a turn. */
    readonly hashConcurrency: number;
    readonly hashQueue: number;
    readonly bootstrap: { readonly username: string; readonly email: string; readonly password: string } | undefined;
  };
  readonly database: { readonly driver: "sqlite"; readonly path: string };
  readonly queue: {
    readonly driver: "sync" | "database";
    readonly concurrency: number;
    readonly shutdownTimeoutMs: number;
    readonly maxAttempts: number;
  };
  readonly mail: {
    readonly driver: "log" | "smtp";
    readonly from: string;
    readonly smtp: { readonly host: string; readonly port: number; readonly username: string; readonly password: string; readonly tls: "auto" | "implicit" | "off" };
  };
}
