import type { Registry } from "prom-client";
import { families, type FamilyName } from "./metrics.families.ts";
import type { Labels, Sample } from "./metrics.series.ts";

/** What each family is at the moment of a scrape. */
export type Sources = Readonly<Record<FamilyName, () => readonly Sample[]>>;

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Writes the families out in the Prometheus text format. The client library is loaded at the first scrape: a start
 * pays nothing for it. `common` are the first labels of every series.
 */
export function createExposition(common: Labels, sources: Sources): () => Promise<string> {
  let registry: Promise<Registry> | undefined;

  async function assemble(): Promise<Registry> {
    const client = await import("prom-client");
    const classes = { counter: client.Counter, gauge: client.Gauge, histogram: client.Histogram };
    // Its own: two apps in one process don't see each other's figures.
    const own = new client.Registry();
    for (const name of names()) {
      const { type, help, labels } = families[name];
      const metric = new classes[type]({
        name,
        help,
        labelNames: [...Object.keys(common), ...labels],
        registers: [],
      });
      // Where the registry asks for the values: they are counted elsewhere, in plain numbers.
      const getForPromString = async () => ({ name, help, type, values: sources[name]().map(valueOf(name)) });
      own.registerMetric(Object.assign(metric, { getForPromString }));
    }
    return own;
  }

  const valueOf =
    (name: FamilyName) =>
    ({ labels, value, suffix }: Sample) => ({
      labels: { ...common, ...labels },
      value,
      metricName: suffix === undefined ? name : `${name}${suffix}`,
    });

  return async () => (await (registry ??= assemble())).metrics();
}

const isFamily = (name: string): name is FamilyName => Object.hasOwn(families, name);
const names = (): FamilyName[] => Object.keys(families).filter(isFamily);
