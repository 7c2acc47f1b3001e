import {
  accent,
  choice,
  cidrBlocks,
  debugLevel,
  flag,
  host,
  integer,
  list,
  origins,
  port,
  productName,
  shutdownTime,
  text,
  termsVersion,
  url,
  urlText,
  duration,
} from "./kinds/kinds.ts";
import { contacts } from "./kinds/contacts.ts";
import { defaultAccent } from "../../core/text/accent.ts";
import { variablesOf, type Section } from "./kinds/variable.ts";
import { hour, second } from "../../core/clock.ts";

const application = variablesOf("Application");
const http = variablesOf("HTTP");

export const appVariables = {
  env: application("APP_ENV", choice("local", "testing", "staging", "production"), {
    fallback: "local",
    description: "Which rules hold. Anything but local and testing refuses to start without its secrets",
  }),
  displayName: application("APP_DISPLAY_NAME", productName, {
    fallback: "Gatehouse",
    description: "What the product is called on pages and in mails",
  }),
  logoPath: application("APP_LOGO_PATH", text, {
    optional: true,
    description: "An SVG or PNG file of at most 64 KiB that pages show; absolute outside local and testing",
  }),
  logoDarkPath: application("APP_LOGO_DARK_PATH", text, {
    optional: true,
    description: "The picture for dark pages, where that of APP_LOGO_PATH does not do",
  }),
  logoHasName: application("APP_LOGO_HAS_NAME", flag, {
    fallback: "false",
    description: "The picture holds the product's name: pages do not write it beside the picture",
  }),
  homeUrl: application("APP_HOME_URL", urlText, {
    optional: true,
    description: "Where the product's name at the top of each page leads. The root of APP_URL without",
  }),
  accent: application("APP_ACCENT_COLOR", accent, {
    fallback: defaultAccent,
    description: "Colour of links, focus and buttons: one, from which that of dark pages is derived, or two",
  }),
  theme: application("APP_THEME", choice("auto", "light", "dark"), {
    fallback: "auto",
    description: "Whether pages and mails are light or dark. auto: as the reader's device is set",
  }),
  radius: application("APP_RADIUS", integer(0, 24), {
    fallback: "8",
    description: "Corners of fields and buttons in pixels, from 0, which are square, to 24; those of cards follow",
  }),
  fontPath: application("APP_FONT_PATH", text, {
    optional: true,
    description: "A WOFF2 file of at most 300 KiB in which pages are set; absolute outside local and testing",
  }),
  tokensPath: application("APP_TOKENS_PATH", text, {
    optional: true,
    description:
      "A style sheet with colours of your own for pages and mails, of at most 16 KiB; absolute outside local and testing",
  }),
  wordsPath: application("WORDS_PATH", text, {
    optional: true,
    description:
      "A folder with your own words: a file for each language, such as de.json; absolute outside local and testing",
  }),
  url: application("APP_URL", url, {
    otherwise: ({ text }) => `http://localhost:${text("API_HTTP_PORT")}`,
    description: "Public URL. Locally http://localhost and the port",
  }),
  termsUrl: application("APP_TERMS_URL", urlText, {
    optional: true,
    description: "Where the terms stand: pages link to them where people register",
  }),
  privacyUrl: application("APP_PRIVACY_URL", urlText, {
    optional: true,
    description: "Where it stands what is done with people's data: pages link to it where people register",
  }),
  securityContact: application("SECURITY_CONTACT", contacts, {
    fallback: "",
    description:
      "Whom to tell about a hole, in /.well-known/security.txt (RFC 9116): mail addresses or https URLs, comma-separated, the preferred one first",
  }),
  termsVersion: application("APP_TERMS_VERSION", termsVersion, {
    optional: true,
    description:
      "The version of the terms that newcomers accept and others are asked to, such as 2026-11: 1 to 64 letters, digits or . _ -",
  }),
  key: application("APP_KEY", text, {
    description: "Application key. Generated locally",
    secret: true,
  }),
  previousKeys: application("APP_PREVIOUS_KEYS", list, {
    fallback: "",
    description:
      "Earlier application keys, comma-separated, in a file one a line: they open what they have sealed, until secrets:reseal has sealed it anew",
    secret: true,
  }),
  diagToken: application("APP_DIAG_TOKEN", text, {
    description: "Bearer token for readiness in detail. Generated locally",
    secret: true,
  }),
  debug: application("APP_DEBUG", debugLevel, {
    fallback: "false",
    description: "true, false or a level from 0 to 3: debug lines in the log",
  }),
  logFormat: application("APP_LOG_FORMAT", choice("console", "json"), {
    otherwise: ({ local }) => (local ? "console" : "json"),
    description: "How log lines look. console locally, else json",
  }),
  shutdownTimeoutMs: application("APP_SHUTDOWN_TIMEOUT", shutdownTime, {
    fallback: "30s",
    description: "How long requests in flight may take after the listener has closed",
  }),
  drainDelayMs: application("APP_DRAIN_DELAY", shutdownTime, {
    otherwise: ({ local }) => (local ? "0" : "500ms"),
    description: "How long a stopping process goes on serving, readiness already 503. 0 locally, else 500ms",
  }),
} as const satisfies Section;

export const httpVariables = {
  host: http("API_HTTP_HOST", host, {
    fallback: "127.0.0.1",
    description: "Address to listen on; localhost is 127.0.0.1 and ::1. Locally 127.0.0.1 stands for both, too",
  }),
  port: http("API_HTTP_PORT", port, {
    otherwise: ({ app }) => String(app.ports.http),
    description: "Port to listen on: 3000, in the admin binary 3001; 0 takes any free one",
  }),
  reusePort: http("API_HTTP_REUSE_PORT", flag, {
    fallback: "false",
    description: "Lets several processes share the port",
  }),
  trustedProxies: http("API_TRUSTED_PROXIES", cidrBlocks, {
    fallback: "",
    description: "CIDR blocks, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto count",
  }),
  pagesEnabled: http("FRONTEND_ENABLED", flag, {
    fallback: "true",
    description: "Serves the account pages, such as /login. false leaves the API alone",
  }),
  kit: http("FRONTEND_KIT", choice("spa", "server"), {
    fallback: "spa",
    description:
      "How the account pages are made: spa, by a script over the JSON routes; server, by the server, without those routes and those of providers",
  }),
  allowedOrigins: http("AUTH_ALLOWED_ORIGINS", origins, {
    fallback: "",
    description:
      "Origins of other apps, comma-separated, whose pages may call the JSON routes with the browser's cookies; https outside local and testing",
  }),
  docsEnabled: http("API_DOCS_ENABLED", flag, {
    otherwise: ({ local }) => String(local),
    description: "Serves /openapi. true locally, else false",
  }),
} as const satisfies Section;

const maintenance = variablesOf("Maintenance");

export const maintenanceVariables = {
  driver: maintenance("APP_MAINTENANCE_DRIVER", choice("memory", "cache"), {
    fallback: "memory",
    description: "memory holds for this process until it ends; cache, for production, for all processes until disabled",
  }),
  store: maintenance("APP_MAINTENANCE_STORE", text, {
    fallback: "default",
    description: "Name of the cache that keeps the state",
  }),
  enabled: maintenance("APP_MAINTENANCE_ENABLED", flag, {
    fallback: "false",
    description: "true: on from the start, and maintenance:disable is refused until a start without it",
  }),
  staleMs: maintenance("APP_MAINTENANCE_STALE", duration(0, 24 * hour), {
    fallback: "5m",
    description: "How long the last known state counts while it can't be read; after that it counts as on",
  }),
  retryAfterMs: maintenance("APP_MAINTENANCE_RETRY_AFTER", duration(second, 24 * hour), {
    fallback: "60s",
    description: "When to come back, as 503 answers say in Retry-After",
  }),
} as const satisfies Section;

const metrics = variablesOf("Metrics");

export const metricsVariables = {
  enabled: metrics("METRICS_ENABLED", flag, {
    fallback: "true",
    description: "Counts, and serves /metrics",
  }),
  behindProxy: metrics("METRICS_BEHIND_PROXY", flag, {
    fallback: "false",
    description: "Serves /metrics to requests that a proxy forwarded, too; to them it is absent otherwise",
  }),
  host: metrics("METRICS_HOST", host, {
    fallback: "127.0.0.1",
    description: "Address on which /metrics is served on a port of its own",
  }),
  /** Undefined if /metrics is served on the HTTP port alone. */
  httpPort: metrics("METRICS_HTTP_PORT", port, {
    optional: true,
    description:
      "Its port in a process that serves HTTP, besides the HTTP port; for processes that share that one. None without",
  }),
  jobsPort: metrics("METRICS_JOBS_PORT", port, {
    otherwise: ({ app }) => String(app.ports.worker),
    description: "Its port in a worker: 10002, in the admin binary 10012; 0 takes any free one",
  }),
  schedulerPort: metrics("METRICS_SCHEDULER_PORT", port, {
    otherwise: ({ app }) => String(app.ports.scheduler),
    description: "Its port in a scheduler: 10001, in the admin binary 10011; 0 takes any free one",
  }),
} as const satisfies Section;
