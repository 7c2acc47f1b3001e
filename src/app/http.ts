import { Elysia } from "elysia";
import type { AppModule } from "./modules.ts";
import { allowedOriginsOf, type Config } from "../config/index.ts";
import {
  checkRoutes,
  createCors,
  createForwardedPaths,
  createHttpServer,
  createRequestMetrics,
  httpPlugins,
  isApi,
  type RequestFacts,
  type RequestWatch,
} from "../http/index.ts";
import { absentPage } from "../http/pages/absent.page.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import type { Maintenance } from "../maintenance/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics/index.ts";
import type { Words } from "../words/index.ts";

/** On a developer's machine every program finds `localhost`, whichever of its addresses it tries. */
const hostOf = ({ app, http }: Config): string =>
  app.env === "local" && http.host === "127.0.0.1" ? "localhost" : http.host;

interface HttpOptions {
  readonly config: Config;
  readonly modules: readonly AppModule[];
  readonly maintenance: Maintenance;
  readonly words: Words;
  readonly brand: Brand["alone"];
  readonly facts: RequestFacts;
  readonly metrics: Metrics;
  readonly watch: RequestWatch | undefined;
  readonly log: Log;
}

/** Makes one server with the routes of all modules. `start` makes it listen. */
export function createHttp({ config, modules, maintenance, words, brand, facts, metrics, watch, log }: HttpOptions) {
  const awaitedForms = new Set(modules.flatMap((module) => module.awaitedForms ?? []));
  const takers = modules.flatMap((module) => module.takesForm ?? []);
  const takesForm = (path: string): boolean => takers.some((takes) => takes(path));
  const roomy = modules.flatMap((module) => module.roomy ?? []);
  const takesFields = new Set(modules.flatMap((module) => module.takesFields ?? []));
  const root = new Elysia({ name: config.app.name }).use(
    httpPlugins({ facts, awaitedForms, takesForm, takesFields, roomy, log, onRefusal: watch?.refused }),
  );
  for (const { routes } of modules) if (routes !== undefined) root.use(routes);
  checkRoutes(root.routes);
  const { gate, isHidden } = maintenance;
  // A stranger sees a hidden path as absent, so requests to it are recorded and counted as such.
  const visible = root.routes.filter(({ path }) => !isHidden(path));
  const requests = config.metrics.enabled ? createRequestMetrics(visible) : undefined;
  // The admin app shares its settings with the main app, but has no JSON routes that could need CORS.
  const hasApi = visible.some(({ path }) => isApi(path));
  const isNavigated = (path: string): boolean => modules.some((module) => module.isNavigated?.(path) === true);
  const server = createHttpServer({
    app: root,
    config: { ...config.http, host: hostOf(config) },
    appUrl: config.app.url,
    awaitedForms,
    cors: hasApi ? createCors({ origins: allowedOriginsOf(config), routes: visible, isNavigated }) : undefined,
    facts,
    metrics: requests,
    watch,
    log,
    gate,
    isHidden: (path) => isHidden(path) || modules.some((module) => module.isHidden?.(path) === true),
    isAbsent: createForwardedPaths(config),
    absentPage: config.http.pagesEnabled ? absentPage(brand, words) : undefined,
  });
  if (requests !== undefined) metrics.watchHttp({ routes: requests.routes, inflight: server.pending });
  let draining = false;
  let port: number | undefined;

  return {
    routes: () => root.routes.map(({ method, path }) => ({ method, path })),
    visibleRoutes: () => visible,
    isDraining: () => draining,
    /** The port that the server listens on; undefined before the start. */
    port: () => port,

    async start() {
      const listening = await server.start();
      port = listening.port;
      return listening;
    },
    drain(): void {
      draining = true;
      server.drain();
    },
    stop: (deadlineMs: number) => server.stop(deadlineMs),
  };
}
