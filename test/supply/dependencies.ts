/** Why a package of package.json is there, who looks after it by its own description, and what would take its place. */
export interface Dependency {
  readonly name: string;
  readonly reason: string;
  readonly maintainer: string;
  readonly instead: string;
}

type Row = readonly [name: string, reason: string, maintainer: string, instead: string];

const dependencies = (rows: readonly Row[]): readonly Dependency[] =>
  rows.map(([name, reason, maintainer, instead]) => ({ name, reason, maintainer, instead }));

/** What is in the binaries. */
export const ofBinaries = dependencies([
  [
    "@elysiajs/cookie",
    "Writes the header `Set-Cookie`",
    "saltyAom (Elysia)",
    "A function of our own: the package is called in one place, and reads no request",
  ],
  ["@elysiajs/jwt", "Signs and reads access tokens by a secret", "saltyAom (Elysia)", "`jose`, which it calls"],
  [
    "@node-rs/argon2",
    "Argon2id off the main thread, as native code",
    "the authors of node-rs; no person is named",
    "`Bun.password`, which is slower at many passwords at once",
  ],
  ["@oslojs/crypto", "Compares secrets in constant time", "pilcrowOnPaper", "`timingSafeEqual` of the runtime"],
  ["@oslojs/encoding", "Base32 and base64url", "pilcrowOnPaper", "`Uint8Array.toBase64`, and Base32 of our own"],
  ["@oslojs/otp", "Codes of authenticator apps (RFC 6238)", "pilcrowOnPaper", "An HMAC of the runtime and ten lines"],
  [
    "@simplewebauthn/server",
    "Checks what passkeys answer (WebAuthn level 3)",
    "Matthew Miller",
    "No other of its kind is as complete; CBOR and signatures of our own otherwise",
  ],
  [
    "@sinclair/typebox",
    "Schemas of everything that comes from outside",
    "sinclairzx81",
    "Another validator of JSON Schema; Elysia is built on this one",
  ],
  [
    "@zxcvbn-ts/language-common",
    "Common passwords and keyboards, for the strength of a new password",
    "the authors of zxcvbn-ts; no person is named",
    "The list of breached passwords, which is ours",
  ],
  [
    "age-encryption",
    "Encrypts backups in the format age, which other programs read",
    "Filippo Valsorda",
    "The program `age`, by a pipe",
  ],
  [
    "arctic",
    "Speaks OAuth 2 to providers: GitHub, Google, Microsoft, Apple",
    "pilcrowOnPaper",
    "`oauth4webapi`, with which tests speak to this service already",
  ],
  ["aws4fetch", "Signs requests to S3", "Michael Hart", "`Bun.S3Client`, or HMACs of the runtime"],
  ["citty", "Reads arguments of commands", "the authors of unjs; no person is named", "`parseArgs` of the runtime"],
  [
    "elysia",
    "The HTTP framework: routes, schemas, the API's description",
    "saltyAom",
    "`Bun.serve` and routes of our own; the largest of all changes here",
  ],
  ["ipaddr.js", "Reads addresses and networks", "whitequark", "Some hundred lines of our own"],
  ["jose", "Signs and checks JWTs, JWKs and DPoP proofs", "Filip Skokan", "`crypto.subtle` of the runtime"],
  ["nodemailer", "Sends mail by SMTP", "Andris Reinman", "A client of SMTP of our own, over sockets of the runtime"],
  [
    "swagger-ui-dist",
    "Shows the API reference in a browser",
    "SmartBear and contributors",
    "A list that the server writes; the description itself needs no package",
  ],
  [
    "tldts",
    "The list of public suffixes, for domains of cookies and organizations",
    "Rémi Berson",
    "The list of publicsuffix.org, read by our own code",
  ],
  ["uqr", "QR codes for authenticator apps", "Anthony Fu", "An encoder of our own"],
  [
    "preact",
    "Draws the account pages in the browser",
    "the authors of Preact; no person is named",
    "The pages that the server writes (`FRONTEND_KIT=server`), which need no script",
  ],
  ["@preact/signals", "State of the account pages", "the authors of Preact; no person is named", "As for Preact"],
]);

/** What only builds, checks and tests, and is in nothing that is published, but for types. */
export const ofDevelopment = dependencies([
  [
    "@astrojs/starlight",
    "Builds the manual into a site",
    "Chris Swithinbank and the authors of Astro",
    "The chapters as they are, in Markdown",
  ],
  [
    "@cyclonedx/cyclonedx-library",
    "Judges lists of contents by the format's schema",
    "Jan Kowalleck",
    "The schema, by `ajv`",
  ],
  ["@hey-api/openapi-ts", "Generates a client that tests use", "Hey API", "`openapi-typescript`"],
  ["@hono/node-server", "A server on which the gate of Hono is tried", "Yusuke Wada", "Bun's own server"],
  [
    "@modelcontextprotocol/conformance",
    "Tries the sign-in of MCP by the protocol's own suite",
    "Anthropic",
    "Tests of our own",
  ],
  ["@modelcontextprotocol/sdk", "A client of MCP that tests sign in by", "Anthropic", "Tests of our own"],
  [
    "@redocly/cli",
    "Judges the description of the API",
    "Roman Hotsiy (Redocly)",
    "`openapi-typescript`, which refuses a broken one",
  ],
  ["@types/express", "Types", "DefinitelyTyped", "None"],
  ["@types/nodemailer", "Types", "DefinitelyTyped", "Types of our own for what is called"],
  ["@types/oidc-provider", "Types", "DefinitelyTyped", "None"],
  ["@types/react", "Types of the kit for React", "DefinitelyTyped", "None"],
  ["@types/smtp-server", "Types", "DefinitelyTyped", "None"],
  ["ajv", "Judges answers by JSON Schema", "Evgeny Poberezkin", "TypeBox"],
  ["ajv-formats", "Formats of JSON Schema", "Evgeny Poberezkin", "TypeBox"],
  ["ajv-formats-draft2019", "Formats that CycloneDX takes", "Carlo Quinonez", "None"],
  ["astro", "Builds the manual into a site", "the authors of Astro", "The chapters as they are, in Markdown"],
  ["axe-core", "Finds barriers in pages", "Deque", "Tries by hand"],
  ["better-auth", "Is measured beside Gatehouse", "the authors of Better Auth; no person is named", "None is needed"],
  ["bun-types", "Types of the runtime", "Oven", "None"],
  ["express", "A server on which the gate is tried", "the authors of Express", "None is needed"],
  ["express4", "The same, of the version before", "the authors of Express", "None is needed"],
  ["fast-check", "Random programs for property tests", "Nicolas Dubien", "Random programs of our own"],
  ["hono", "A framework on which the gate is tried", "Yusuke Wada", "None is needed"],
  ["knip", "Finds dead code", "Lars Kappert", "The linter, in part"],
  ["minisearch", "The search of the manual's site", "Luca Ongaro", "A search of our own"],
  ["oauth4webapi", "A client of OAuth that tests sign in by", "Filip Skokan", "`openid-client`"],
  ["oidc-provider", "A provider that tests sign in at", "Filip Skokan", "Keycloak, at the price of a minute each run"],
  [
    "openapi-typescript",
    "Generates types from the API's description for tests",
    "Drew Powers",
    "`@hey-api/openapi-ts`",
  ],
  ["openid-client", "A certified client that tests sign in by", "Filip Skokan", "`oauth4webapi`"],
  ["oxc-parser", "Reads sources for the rules of the repository", "the authors of Oxc", "The parser of TypeScript"],
  ["oxfmt", "Formats sources", "the authors of Oxc", "Prettier"],
  ["oxlint", "Lints sources", "the authors of Oxc", "ESLint"],
  ["oxlint-tsgolint", "Rules that know types", "auvred and the authors of Oxc", "typescript-eslint"],
  ["postal-mime", "Reads mails in tests", "Andris Reinman", "A parser of our own"],
  ["react", "The framework of a kit", "Meta and contributors", "None is needed"],
  ["smtp-server", "A relay that tests send to", "Andris Reinman", "A relay of our own"],
  [
    "standardwebhooks",
    "Checks our webhooks as receivers do",
    "the authors of Standard Webhooks",
    "An HMAC of the runtime",
  ],
  ["typescript", "The types of the client, as files", "Microsoft", "None"],
  ["vite", "An app in examples", "Evan You and contributors", "None is needed"],
  ["vue", "The framework of a kit", "Evan You and contributors", "None is needed"],
]);

/** What was taken before it was 14 days old, and why. */
export const takenYoung: readonly { readonly ids: readonly string[]; readonly why: string }[] = [
  {
    ids: [
      "bun-types@1.4.5",
      "@oven/bun-linux-aarch64@1.4.5",
      "@oven/bun-linux-aarch64-musl@1.4.5",
      "@oven/bun-linux-x64-baseline@1.4.5",
      "@oven/bun-linux-x64-musl-baseline@1.4.5",
    ],
    why: "The runtime and its types: the one that everything was tried with is the one that is published",
  },
  {
    ids: ["nodemailer@10.6.0"],
    why: "The first with `socketCloseTimeout`, without which a relay that closes no connection keeps a process from ending",
  },
];
