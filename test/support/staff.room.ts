import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Elysia, type AnyElysia } from "elysia";
import { migrations } from "../../migrations/index.ts";
import { consoleParts } from "../../src/app/console.ts";
import { openResources } from "../../src/app/resources/index.ts";
import { createServices } from "../../src/app/services.ts";
import { passwordRules } from "../../src/auth/index.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock as clock } from "../../src/core/clock.ts";
import { deriveKey } from "../../src/core/crypto.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { createHttpServer, createRequestFacts, httpPlugins } from "../../src/http/index.ts";
import { createMaintenance } from "../../src/maintenance/index.ts";
import { createBrand } from "../../src/http/pages/brand/brand.ts";
import { createFormTokens } from "../../src/http/pages/form.tokens.ts";
import { PageStyle } from "../../src/http/pages/document.tsx";
import { createEntryForms, createEntryPages, createNotices, createRefusals } from "../../src/kit/index.ts";
import { createLog } from "../../src/observe/log.ts";
import { createMetrics } from "../../src/observe/metrics/index.ts";
import { scriptAsset, staffPolicy, styleAsset } from "../../src/staff/frame/assets.ts";
import type { StaffFrame } from "../../src/staff/frame/context.ts";
import { staffPages } from "../../src/staff/index.ts";
import { createStaffPages, type StaffPages } from "../../src/staff/pages.ts";
import { calm } from "./auth.ts";
import { definitions } from "./definitions.ts";
import { cheapHashes } from "./password.cost.ts";
import { testEnvironment } from "./environment.ts";
import { agesOf } from "./ages.ts";
import { ourWords } from "./words.ts";

/** Starts the admin app with one more room, in the test's own process, to test what no room of the app has by itself. */
export async function startRoom(room: (staff: StaffPages) => AnyElysia) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-room-"));
  const loaded = loadConfig({ app: definitions.admin, env: { ...testEnvironment(folder), ...calm } });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const { config } = loaded;
  const log = createLog({ format: "json", level: "error", clock, secrets: [], write: () => undefined });
  const metrics = createMetrics({ app: "admin", source: "http", build });
  const resources = openResources({
    config,
    database: undefined,
    createDatabase: true,
    metrics,
    inspects: undefined,
    handlers: () => new Map(),
    queueOf: () => "default",
    onEnqueue: () => undefined,
    clock,
    log,
  });
  await createMigrator({ database: resources.database, migrations, clock }).up();
  const facts = createRequestFacts({
    trustedProxies: [],
    own: { appUrl: config.app.url, loopback: false },
  });
  const brand = await createBrand(config.app, log);
  const services = await createServices({
    config,
    words: ourWords,
    resources,
    facts,
    mailLook: brand.mail,
    metrics,
    inspects: undefined,
    watch: undefined,
    passwordCost: cheapHashes,
    clock,
    ages: agesOf(clock),
    log,
  });
  const auth = services.auth.pages;
  const { people: reads, accounts } = services.auth;
  const people = {
    people: reads,
    accounts,
    accountFile: services.auth.accountFile,
    audit: services.audit,
    inspectsOf: undefined,
    namesOf: services.auth.namesOf,
    providerName: services.oauth.nameOf,
  };
  const maintenance = createMaintenance({
    config,
    brand: brand.alone,
    words: ourWords,
    store: resources.maintenanceStore,
    database: resources.database,
    cacheAt: resources.cacheAt,
    facts,
    port: () => undefined,
    record: async () => undefined,
    clock,
    log,
  });
  const console = consoleParts({
    words: ourWords,
    brand,
    config,
    ...services,
    maintenance,
    resources,
    clock,
  });
  const key = deriveKey("a key of this test", "room");
  const frame: StaffFrame = {
    words: ourWords,
    mark: brand.mark,
    script: scriptAsset.href,
    style: PageStyle({ href: styleAsset.href, look: brand.look }),
    schemes: brand.look.schemes,
    place: "admin · testing",
    navigation: [],
    href: (path) => path,
  };
  const policy = staffPolicy(brand.look, undefined);
  const refusalOf = createRefusals({ auth, facts, log });
  const forms = createEntryForms({ app: "admin", key, isSecure: auth.isSecure });
  const entry = createEntryPages({ frame, policy, forms, refusalOf, facts, clock });
  const notices = createNotices({ cookie: "admin_notice", key, isSecure: auth.isSecure });
  const tokens = createFormTokens(key);
  const staff = createStaffPages({
    auth,
    frame,
    policy,
    tokens,
    notices,
    entry,
    refusalOf,
    isAbsent: () => false,
    facts,
    uses: services.audit.uses,
    clock,
  });
  const app = new Elysia()
    .use(httpPlugins({ facts, takesForm: () => true, log }))
    .use(
      staffPages({
        config,
        auth,
        factors: services.auth.pageFactors,
        people,
        organizations: services.organizations.desk,
        invitations: services.auth.invitations,
        words: ourWords,
        impersonations: services.auth.impersonations,
        brand,
        passwordRules: passwordRules(config.auth),
        console,
        facts,
        clock,
        log,
      }).routes ?? new Elysia(),
    )
    .use(room(staff));
  const server = createHttpServer({ app, config: config.http, appUrl: config.app.url, facts, log });
  const { url } = await server.start();
  return {
    url: url.origin,
    databasePath: config.database.path,
    async stop() {
      await server.stop(1_000);
      await services.auth.module.close?.();
      await resources.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
