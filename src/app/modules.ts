import type { AnyElysia } from "elysia";
import type { Resources } from "./resources/index.ts";
import type { Services } from "./services.ts";
import { signpostsOf } from "./signposts.ts";
import { documentedSettings, passwordRules, securitySchemesOf } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import type { BuildInfo } from "../core/build.ts";
import type { Clock } from "../core/clock.ts";
import type { AgeClock } from "../core/clock.trust.ts";
import type { DescribedRoute, Module, NamedModule } from "../core/module.ts";
import { createCachePrune } from "../drivers/cache/prune.ts";
import type { Migrator } from "../drivers/database/migrate.ts";
import { restoringOf } from "../drivers/database/open.ts";
import { createContact } from "../contact/index.ts";
import { helloRoutes } from "../hello/index.ts";
import { docsRoutes, metricsRoutes, type RequestFacts, type Route } from "../http/index.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import type { Inspects } from "../inspect/index.ts";
import { mailboxPages } from "../mailbox/index.ts";
import type { Maintenance } from "../maintenance/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics/index.ts";
import { createProbes, type CheckResult } from "../probes/index.ts";
import { serviceSecurityScheme } from "../backend/index.ts";
import type { Scheduler } from "../scheduler/index.ts";
import type { Words } from "../words/index.ts";
import { createQueuePrune } from "../worker/index.ts";

type Routes = AnyElysia | ((app: AnyElysia) => AnyElysia);

export type AppModule = NamedModule<Routes>;
type Made = Module<Routes> | undefined;

export interface Parts extends Services {
  readonly config: Config;
  readonly build: BuildInfo;
  readonly resources: Resources;
  readonly migrator: Migrator;
  readonly facts: RequestFacts;
  readonly metrics: Metrics;
  readonly inspects: Inspects | undefined;
  readonly maintenance: Maintenance;
  readonly words: Words;
  readonly brand: Brand;
  readonly clock: Clock;
  readonly ages: AgeClock;
  readonly log: Log;
  /** Functions of the whole app. Modules may call them only once the app runs, because it is complete only after its modules. */
  readonly app: {
    routes(): readonly Route[];
    /** Routes that the API reference lists although they are not mounted. */
    described(): readonly DescribedRoute[];
    schedules(): ReturnType<Scheduler["next"]>;
    readiness(): Promise<readonly CheckResult[]>;
    isDraining(): boolean;
  };
}

/** Whether the server writes the account pages. They need no JSON routes, and none of those is mounted then. */
const isWrittenByServer = ({ http }: Config): boolean => http.kit === "server";

/**
 * Every module that an app can list, by its name in that list, with the function that makes it. The function returns undefined where no
 * configuration asks for the module. Modules that an app does not list are not made, and their large parts are not loaded.
 */
const modules = {
  probes: ({ config, app }) => ({
    routes: createProbes({
      app: config.app.name,
      diagToken: config.app.diagToken,
      runChecks: app.readiness,
      isDraining: app.isDraining,
    }),
  }),
  maintenance: ({ maintenance }) => ({ routes: maintenance.routes, checks: maintenance.checks }),
  brand: ({ brand }) => brand.module,
  contact: ({ config, build, clock }) =>
    createContact({ contacts: config.app.securityContact, appUrl: config.app.url, builtAt: build.at, clock }),
  cache: ({ resources: { database }, ages }) => ({
    schedules: [createCachePrune({ database, ages })],
  }),
  queue: ({ config, resources: { deadLetters }, ages, log }) => ({
    schedules: [createQueuePrune({ deadLetters, retentionMs: config.queue.retentionMs, ages, log })],
  }),
  auth: ({ auth }) => auth.module,
  "auth-api": ({ config, auth }) => (isWrittenByServer(config) ? undefined : auth.api),
  "auth-verify": ({ auth }) => auth.verify,
  "token-keys": ({ auth, idp }) => auth.keys(idp?.publishedKeys),
  "related-origins": ({ auth }) => auth.relatedOrigins,
  "personal-tokens": ({ config, auth }) => (isWrittenByServer(config) ? undefined : auth.tokens),
  oauth: ({ oauth }) => oauth.module,
  "oauth-api": ({ config, oauth }) => (isWrittenByServer(config) ? undefined : oauth.api),
  idp: ({ idp, words, brand }) => idp?.module({ words, brand }),
  "idp-apps": async ({ config, resources: { database }, auth }) => {
    const isEnabled = config.idp.enabled;
    // Where the provider is off, only the API reference has a use for its code.
    if (isWrittenByServer(config) || (!isEnabled && !config.http.docsEnabled)) return undefined;
    const { appsModule } = await import("../idp/index.ts");
    return appsModule({ database, auth: auth.provider, isEnabled });
  },
  service: ({ backends }) => backends.module,
  "organizations-api": ({ config, organizations }) => (isWrittenByServer(config) ? undefined : organizations.api),
  organizations: ({ organizations }) => organizations.module,
  account: async ({ config, resources: { database }, words, brand, auth, oauth, facts, clock, log }) => {
    if (!config.http.pagesEnabled) return undefined;
    if (isWrittenByServer(config)) {
      const { kitPages } = await import("../kit/index.ts");
      const { pages, pageFactors, pageWays, pageOwn } = auth;
      const rules = passwordRules(config.auth);
      // Where the provider is off, nothing has a use for its code.
      const idp = config.idp.enabled ? await import("../idp/index.ts") : undefined;
      const apps = idp?.createApps({ database, auth: auth.provider });
      const parts = { factors: pageFactors, ways: pageWays, own: pageOwn, apps, passwordRules: rules };
      return kitPages({ config, auth: pages, ...parts, words, brand, facts, clock, log });
    }
    const { accountPages } = await import("../account/index.ts");
    return accountPages({
      config,
      words,
      brand,
      providers: oauth.providers,
      passwordRules: passwordRules(config.auth),
      isSignedIn: auth.federation.isSignedIn,
      signposts: config.app.env === "local" ? signpostsOf(config) : undefined,
    });
  },
  staff: async (parts) => {
    const { staffPages } = await import("../staff/index.ts");
    const { consoleParts } = await import("./console.ts");
    const { config, auth, oauth, organizations, audit, inspects, words, brand, facts, clock, log } = parts;
    const { pages, pageFactors, people, accounts, accountFile, invitations, impersonations } = auth;
    const reader = config.lighthouse.secret === "" ? undefined : inspects?.reader;
    return staffPages({
      config,
      auth: pages,
      factors: pageFactors,
      people: {
        people,
        accounts,
        accountFile,
        audit,
        inspectsOf: reader && ((userId, limit) => reader.search({ userId, limit })),
        namesOf: auth.namesOf,
        providerName: oauth.nameOf,
      },
      organizations: organizations.desk,
      invitations,
      impersonations,
      words,
      brand,
      passwordRules: passwordRules(config.auth),
      console: consoleParts(parts),
      facts,
      clock,
      log,
    });
  },
  impersonation: async ({ config, auth, words, brand, facts }) => {
    if (config.auth.impersonators.length === 0) return undefined;
    const { impersonationPages } = await import("../impersonation/index.ts");
    return impersonationPages({ config, auth: auth.impersonation, words, brand, facts });
  },
  manual: async ({ config }) => {
    if (config.app.env !== "local") return undefined;
    const { manualPages, siteFolder } = await import("../manual/index.ts");
    return manualPages({ folder: siteFolder });
  },
  mailbox: ({ config, resources: { mailbox }, brand, facts }) =>
    mailbox && mailboxPages({ mailbox, appUrl: config.app.url, brand, facts }),
  hello: ({ auth }) => ({ routes: helloRoutes(auth.guard) }),
  audit: ({ audit }) => audit.module,
  figures: ({ figures, app, resources: { queues } }) =>
    figures.module({
      readiness: app.readiness,
      depths: () => Promise.all(queues.depths.flatMap(({ depth }) => (depth === undefined ? [] : [depth()]))),
    }),
  webhook: ({ webhooks }) => webhooks.module,
  backup: async ({ config, resources, metrics, clock, ages, log }) => {
    const { database, backups, changes } = resources;
    if (config.backup.disk === undefined || backups === undefined || changes === undefined) return undefined;
    const { workFolder } = restoringOf(config.database);
    const { createBackups } = await import("../backup/index.ts");
    const archive = () => import("./resources/archive.ts");
    return createBackups({
      installation: config.app,
      settings: config.backup,
      backups,
      changes,
      disk: resources.disk(config.backup.disk),
      workFolder,
      examine: async (path) => (await archive()).examineWith(config)(path),
      drills: {
        verify: async (path, name) => (await archive()).readContents(config, path, name, {}),
        async record(failed) {
          const { drillRow } = await archive();
          await database.batch([drillRow({ config, by: { actor: "system" }, failed })]);
        },
      },
      onCopied: metrics.keeping.copied,
      clock,
      ages,
      log,
    });
  },
  metrics: ({ config, metrics }) => (config.metrics.enabled ? { routes: metricsRoutes(metrics) } : undefined),
  lighthouse: async ({ config, build, resources, migrator, facts, inspects, brand, maintenance, app, clock, log }) => {
    if (config.lighthouse.secret === "") return undefined;
    const { lighthouseRoutes, takesForm } = await import("../inspect/index.ts");
    const sources = {
      build,
      routes: app.routes,
      schedules: app.schedules,
      queues: resources.queues.depths,
      deadLetters: resources.deadLetters,
      readiness: app.readiness,
      migrations: () => migrator.status(),
      maintenance: maintenance.status,
      ...(inspects && { inspects: inspects.store.totals }),
    };
    const routes = lighthouseRoutes({ config, facts, brand, inspects: inspects?.reader, sources, clock, log });
    return { routes, takesForm };
  },
  docs: ({ config, build, brand, app }) => {
    if (!config.http.docsEnabled) return undefined;
    const { name } = config.app;
    const securitySchemes = { ...securitySchemesOf(name), ...serviceSecurityScheme };
    const { described } = app;
    const settings = documentedSettings(config.auth);
    return { routes: docsRoutes({ app: name, version: build.version, brand, securitySchemes, settings, described }) };
  },
} as const satisfies Readonly<Record<string, (parts: Parts) => Made | Promise<Made>>>;

export type ModuleName = keyof typeof modules;

/** Makes modules one after the other, so that of several that refuse the configuration the same one always speaks first. */
export async function createModules(names: readonly ModuleName[], parts: Parts): Promise<readonly AppModule[]> {
  const made: AppModule[] = [];
  for (const name of names) {
    const module = await modules[name](parts);
    if (module !== undefined) made.push({ ...module, name });
  }
  return made;
}
