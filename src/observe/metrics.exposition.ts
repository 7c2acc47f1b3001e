import { families, type FamilyName } from "./metrics.families.ts";
import type { Labels, Sample } from "./metrics.series.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

const isFamily = (name: string): name is FamilyName => Object.hasOwn(families, name);
const names: readonly FamilyName[] = Object.keys(families).filter(isFamily);

/**
 * Writes all families in the Prometheus text format 0.0.4, a family without samples with its two heading lines alone.
 * `common` are the first labels of every series.
 */
export function writeExposition(common: Labels, samplesOf: (family: FamilyName) => readonly Sample[]): string {
  const first = writePairs(common);
  const texts = names.map((name) => {
    const { help, type } = families[name];
    const heading = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
    return [...heading, ...samplesOf(name).map((sample) => writeSample(name, first, sample))].join("\n");
  });
  return `${texts.join("\n\n")}\n`;
}

function writeSample(name: string, first: readonly string[], { labels, value, suffix }: Sample): string {
  const pairs = [...first, ...writePairs(labels)];
  const labelled = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
  return `${name}${suffix ?? ""}${labelled} ${writeNumber(value)}`;
}

const writePairs = (labels: Labels): readonly string[] =>
  Object.entries(labels).map(([label, value]) => `${label}="${escapeValue(value)}"`);

/** Numbers as Go's ParseFloat reads them, where JavaScript has other names for what is not finite. */
function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

// A line break would end the sample, a quote the value; a backslash would change the meaning of what follows it.
const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
