import type { Ground } from "./ground.ts";
import type { createHttp } from "./http.ts";
import { createServices } from "./services.ts";
import type { PasswordCost } from "../auth/index.ts";
import { allowedOriginsOf, type Config } from "../config/index.ts";
import { createBrand } from "../http/pages/brand/brand.ts";
import { createRequestFacts } from "../http/index.ts";
import { createMaintenance } from "../maintenance/index.ts";
import { openWords } from "./words/open.ts";

interface BaseOptions {
  readonly config: Config;
  readonly ground: Ground;
  readonly passwordCost: PasswordCost | undefined;
  /** The server, which is there only once the modules are. */
  readonly http: () => ReturnType<typeof createHttp>;
}

export type Base = Awaited<ReturnType<typeof createBase>>;

/** What modules have in common: the facts of requests, the features that others stand on, the words, the brand, and maintenance. */
export async function createBase({
  config,
  ground: { metrics, inspects, resources, clock, clockWatch: ages, log },
  passwordCost,
  http,
}: BaseOptions) {
  const facts = createRequestFacts({
    trustedProxies: config.http.trustedProxies,
    own: { appUrl: config.app.url, loopback: allowedOriginsOf(config).loopback },
  });
  const watch = inspects?.requests(facts, () => http().visibleRoutes());
  const words = await openWords(config.app, log);
  const brand = await createBrand(config.app, log);
  const services = await createServices({
    config,
    words,
    resources,
    facts,
    mailLook: brand.mail,
    metrics,
    inspects,
    watch,
    passwordCost,
    clock,
    ages,
    log,
  });
  const maintenance = createMaintenance({
    config,
    brand: brand.alone,
    words,
    store: resources.maintenanceStore,
    database: resources.database,
    cacheAt: resources.cacheAt,
    facts,
    port: () => http().port(),
    record: (occurrence) => services.auth.journal.commit({ tell: [occurrence] }),
    onRefusal: watch?.refused,
    clock,
    log,
  });
  return { facts, watch, services, words, brand, maintenance };
}
