import { families, type FamilyName } from "./families.ts";
import type { Labels, Sample } from "./series.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

const isFamily = (name: string): name is FamilyName => Object.hasOwn(families, name);
const names: readonly FamilyName[] = Object.keys(families).filter(isFamily);

/**
 * Writes all families in the Prometheus text format 0.0.4. A family without samples has its two heading lines only. `common` are the first
 * labels of every series.
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

/** Writes a number as Go's ParseFloat reads it: JavaScript has other names for numbers that are not finite. */
function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

// A line break would end the sample and a quote would end the value. A backslash would change the meaning of the next character.
const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
