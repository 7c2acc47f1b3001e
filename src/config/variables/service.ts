import {
  accent,
  choice,
  cidrBlocks,
  debugLevel,
  flag,
  host,
  origins,
  port,
  productName,
  shutdownTime,
  text,
  url,
} from "./kinds/kinds.ts";
import { defaultAccent } from "../../core/text/accent.ts";
import type { Section } from "./kinds/variable.ts";

export const appVariables = {
  env: {
    group: "Application",
    name: "APP_ENV",
    kind: choice("local", "testing", "staging", "production"),
    fallback: "local",
    description: "Which rules hold. Anything but local and testing refuses to start without its secrets",
  },
  displayName: {
    group: "Application",
    name: "APP_DISPLAY_NAME",
    kind: productName,
    fallback: "Gatehouse",
    description: "What the product is called on pages and in mails",
  },
  logoPath: {
    group: "Application",
    name: "APP_LOGO_PATH",
    kind: text,
    optional: true,
    description: "An SVG or PNG file of at most 64 KiB that pages show; absolute outside local and testing",
  },
  accent: {
    group: "Application",
    name: "APP_ACCENT_COLOR",
    kind: accent,
    fallback: defaultAccent,
    description: "Colour of links, focus and buttons: one, from which that of dark pages is derived, or two",
  },
  url: {
    group: "Application",
    name: "APP_URL",
    kind: url,
    otherwise: ({ text }) => `http://127.0.0.1:${text("API_HTTP_PORT")}`,
    description: "Public URL. Locally the address it listens on",
  },
  key: {
    group: "Application",
    name: "APP_KEY",
    kind: text,
    description: "Application key. Generated locally",
    secret: true,
  },
  diagToken: {
    group: "Application",
    name: "APP_DIAG_TOKEN",
    kind: text,
    description: "Bearer token for readiness in detail. Generated locally",
    secret: true,
  },
  debug: {
    group: "Application",
    name: "APP_DEBUG",
    kind: debugLevel,
    fallback: "false",
    description: "true, false or a level from 0 to 3: debug lines in the log",
  },
  logFormat: {
    group: "Application",
    name: "APP_LOG_FORMAT",
    kind: choice("console", "json"),
    otherwise: ({ local }) => (local ? "console" : "json"),
    description: "How log lines look. console locally, else json",
  },
  shutdownTimeoutMs: {
    group: "Application",
    name: "APP_SHUTDOWN_TIMEOUT",
    kind: shutdownTime,
    fallback: "30s",
    description: "How long requests in flight may take after the listener has closed",
  },
  drainDelayMs: {
    group: "Application",
    name: "APP_DRAIN_DELAY",
    kind: shutdownTime,
    otherwise: ({ local }) => (local ? "0" : "500ms"),
    description: "How long a stopping process goes on serving, readiness already 503. 0 locally, else 500ms",
  },
} as const satisfies Section;

export const httpVariables = {
  host: {
    group: "HTTP",
    name: "API_HTTP_HOST",
    kind: host,
    fallback: "127.0.0.1",
    description: "Address to listen on",
  },
  port: {
    group: "HTTP",
    name: "API_HTTP_PORT",
    kind: port,
    otherwise: ({ app }) => String(app.ports.http),
    description: "Port to listen on: 3000, in the admin binary 3001; 0 takes any free one",
  },
  reusePort: {
    group: "HTTP",
    name: "API_HTTP_REUSE_PORT",
    kind: flag,
    fallback: "false",
    description: "Lets several processes share the port",
  },
  trustedProxies: {
    group: "HTTP",
    name: "API_TRUSTED_PROXIES",
    kind: cidrBlocks,
    fallback: "",
    description: "CIDR blocks, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto count",
  },
  pagesEnabled: {
    group: "HTTP",
    name: "FRONTEND_ENABLED",
    kind: flag,
    fallback: "true",
    description: "Serves the account pages, such as /login. false leaves the API alone",
  },
  allowedOrigins: {
    group: "HTTP",
    name: "AUTH_ALLOWED_ORIGINS",
    kind: origins,
    fallback: "",
    description:
      "Origins of other apps, comma-separated, whose pages may call the JSON routes with the browser's cookies; https outside local and testing",
  },
  docsEnabled: {
    group: "HTTP",
    name: "API_DOCS_ENABLED",
    kind: flag,
    otherwise: ({ local }) => String(local),
    description: "Serves /openapi. true locally, else false",
  },
} as const satisfies Section;
