import { ownPaths } from "./paths.ts";

/** What an app has Vite pass on to servers of its own. */
interface Passing<Target> {
  proxy?: Record<string, Target>;
}

/** A plugin of Vite, as far as this one is one. */
export interface GatehousePlugin {
  readonly name: string;
  config<Target>(app: { server?: Passing<Target | string>; preview?: Passing<Target | string> }): void;
}

/**
 * Has the servers of Vite pass to Gatehouse what is Gatehouse's, so that the app and the account pages share an origin on a developer's
 * machine, too. In production a proxy does it.
 */
export function gatehouse(baseUrl: string): GatehousePlugin {
  const own = { [ownPaths.source]: baseUrl };
  return {
    name: "gatehouse",
    config(app) {
      // Vite takes the first path that fits, and the app may pass on all of /api: what is Gatehouse's has to come before.
      const development = app.server?.proxy;
      const proxy = { ...own, ...(app.preview?.proxy ?? development) };
      app.server = { ...app.server, proxy: { ...own, ...development } };
      app.preview = { ...app.preview, proxy };
    },
  };
}
