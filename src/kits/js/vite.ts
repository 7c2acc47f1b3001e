import { ownPaths } from "./paths.ts";

interface ProxyConfig {
  readonly proxy: Record<string, string>;
}

/** A plugin of Vite, as far as this one is one. */
export interface GatehousePlugin {
  readonly name: string;
  config(): { readonly server: ProxyConfig; readonly preview: ProxyConfig };
}

/**
 * Has the servers of Vite pass to Gatehouse what is Gatehouse's, so that the app and the account pages share an origin on a developer's
 * machine, too. In production a proxy does it.
 */
export function gatehouse(baseUrl: string): GatehousePlugin {
  const proxy = { [ownPaths.source]: baseUrl };
  return { name: "gatehouse", config: () => ({ server: { proxy }, preview: { proxy } }) };
}
