/** Label values come from closed sets: names that are registered, codes, outcomes. Never anything that a client sent (SEED §5.10). */
export type Labels = Readonly<Record<string, string>>;

/** One line of the exposition; `suffix` is the part of a histogram that it belongs to. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

/** Counts are plain numbers until they are scraped: counting costs no more than the look-up of its cell. */
export interface Counter<L extends Labels> {
  count(labels: L, by?: number): void;
  samples(): readonly Sample[];
}

export interface Histogram<L extends Labels> {
  observe(labels: L, seconds: number): void;
  samples(): readonly Sample[];
}

/** Counts of one histogram series, for who keeps it at hand. */
export interface Durations {
  observe(seconds: number): void;
  samples(labels: Labels): readonly Sample[];
}

/** The last defence of the number of series: what comes when a family is full counts as `other`. */
const mostSeries = 500;
const other = "other";

function createCells<L extends Labels, Cell>(names: readonly (keyof L & string)[], create: () => Cell) {
  const cells = new Map<string, { readonly labels: Labels; readonly cell: Cell }>();
  const keyOf = (labels: Labels): string => names.map((name) => labels[name] ?? "").join("\u0000");

  function add(labels: Labels): Cell {
    const cell = create();
    // In the order of the family, whatever the caller's.
    const ordered = Object.fromEntries(names.map((name) => [name, labels[name] ?? ""]));
    cells.set(keyOf(labels), { labels: ordered, cell });
    return cell;
  }

  return {
    of(labels: L): Cell {
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
      cells.of(labels).value += by;
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
    observe: (labels, seconds) => cells.of(labels).observe(seconds),
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
