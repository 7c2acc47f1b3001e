export interface Series {
  readonly name: string;
  /** Labels in the order of the text. */
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

export interface Exposition {
  /** Family → type. */
  readonly types: ReadonlyMap<string, string>;
  readonly series: readonly Series[];
  /** Sums the series that carry these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
  /** Returns every series without its value, sorted. */
  names(): readonly string[];
}

const familyLine = /^# (HELP|TYPE) ([a-z_][a-z0-9_]*) (.+)$/;
const seriesLine = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const number = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/;

/** Reads the Prometheus text format 0.0.4 as strictly as a scraper may. Throws at the first invalid line. */
export function readExposition(text: string): Exposition {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const series: Series[] = [];
  const seen = new Set<string>();
  let family = "";
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const head = familyLine.exec(line);
    if (head !== null) {
      const [, kind, name = "", rest = ""] = head;
      if (kind === "TYPE" && types.has(name)) throw new Error(`two types of ${name}`);
      if (kind === "TYPE") types.set(name, rest);
      family = name;
      continue;
    }
    const [, name = "", labelText, valueText = ""] = seriesLine.exec(line) ?? [];
    if (!number.test(valueText)) throw new Error(`not a series: ${line}`);
    const suffix = name.slice(family.length);
    const isOfFamily =
      types.get(family) === "histogram" ? ["_bucket", "_sum", "_count"].includes(suffix) : suffix === "";
    if (!name.startsWith(family) || !isOfFamily) throw new Error(`not of the family ${family}: ${line}`);
    const labels = readLabels(labelText ?? "", line);
    const key = nameOf({ name, labels });
    if (seen.has(key)) throw new Error(`written twice: ${key}`);
    seen.add(key);
    series.push({ name, labels, value: Number(valueText.replace("Inf", "Infinity")) });
  }
  return {
    types,
    series,
    sum: (name, wanted = {}) =>
      series
        .filter((one) => one.name === name)
        .filter(({ labels }) => Object.entries(wanted).every(([label, value]) => labels.get(label) === value))
        .reduce((sum, { value }) => sum + value, 0),
    names: () => [...seen].toSorted(),
  };
}

function readLabels(text: string, line: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  labelPair.lastIndex = 0;
  while (labelPair.lastIndex < text.length) {
    const pair = labelPair.exec(text);
    if (pair === null) throw new Error(`labels that are none: ${line}`);
    const [, label = "", value = ""] = pair;
    if (labels.has(label)) throw new Error(`the label ${label} twice: ${line}`);
    labels.set(label, value);
  }
  return labels;
}

const nameOf = ({ name, labels }: Pick<Series, "name" | "labels">): string =>
  `${name}{${[...labels].map(([label, value]) => `${label}=${value}`).join(",")}}`;
