/**
 * Values of labels come from closed sets, such as registered names, codes and outcomes, and never from a client: each value is one more
 * series.
 */
export type Labels = Readonly<Record<string, string>>;

/** One line of the exposition. `suffix` names the part of a histogram. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

/** Counts in plain numbers, which a scrape turns into text. Counting costs no more than the look-up of its cell. */
export interface Counter<L extends Labels> {
  count(labels: L, by?: number): void;
  samples(): readonly Sample[];
}

export interface Histogram<L extends Labels> {
  observe(labels: L, seconds: number): void;
  samples(): readonly Sample[];
}

/** One series of a histogram, for code that keeps it at hand and saves the look-up. */
export interface Durations {
  observe(seconds: number): void;
  samples(labels: Labels): readonly Sample[];
}

/** The most series of a family. A family that is full counts new ones as `other`, should its labels ever come from an open set. */
const mostSeries = 500;
const other = "other";

function createCells<L extends Labels, Cell>(names: readonly (keyof L & string)[], create: () => Cell) {
  const cells = new Map<string, { readonly labels: Labels; readonly cell: Cell }>();
  const keyOf = (labels: Labels): string => names.map((name) => labels[name] ?? "").join("\u0000");

  function add(labels: Labels): Cell {
    const cell = create();
    // Labels stand in the order of the family, whatever order the caller gives.
    const ordered = Object.fromEntries(names.map((name) => [name, labels[name] ?? ""]));
    cells.set(keyOf(labels), { labels: ordered, cell });
    return cell;
  }

  return {
    find(labels: L): Cell {
      const known = cells.get(keyOf(labels));
      if (known !== undefined) return known.cell;
      if (cells.size < mostSeries) return add(labels);
      const full = Object.fromEntries(names.map((name) => [name, other]));
      return cells.get(keyOf(full))?.cell ?? add(full);
    },
    all: () => [...cells.values()],
  };
}

export function createCounter<L extends Labels>(names: readonly (keyof L & string)[]): Counter<L> {
  const cells = createCells<L, { value: number }>(names, () => ({ value: 0 }));
  return {
    count(labels, by = 1) {
      cells.find(labels).value += by;
    },
    samples: () => cells.all().map(({ labels, cell }) => ({ labels, value: cell.value })),
  };
}

export function createHistogram<L extends Labels>(
  names: readonly (keyof L & string)[],
  bounds: readonly number[],
): Histogram<L> {
  const cells = createCells<L, Durations>(names, () => createDurations(bounds));
  return {
    observe: (labels, seconds) => cells.find(labels).observe(seconds),
    samples: () => cells.all().flatMap(({ labels, cell }) => cell.samples(labels)),
  };
}

export function createDurations(bounds: readonly number[]): Durations {
  const counts = Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    observe(seconds) {
      let at = 0;
      while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += seconds;
    },
    samples(labels) {
      let total = 0;
      const buckets = counts.map((count, at): Sample => {
        total += count;
        const bound = bounds[at];
        const le = bound === undefined ? "+Inf" : String(bound);
        return { labels: { ...labels, le }, value: total, suffix: "_bucket" };
      });
      return [...buckets, { labels, value: sum, suffix: "_sum" }, { labels, value: total, suffix: "_count" }];
    },
  };
}
