const mostLines = 24;
/** The most lines to compare, since time and memory grow with lines times lines. Longer files are only counted. */
const longest = 400;

/** Returns the lines that differ between two texts, each with `-` or `+` in front, without the lines between them. */
export function difference(before: string, after: string): readonly string[] {
  const [from, to] = [linesOf(before), linesOf(after)];
  if (from.length > longest || to.length > longest) return [`(${from.length} lines in place of ${to.length})`];
  const common = commonLengths(from, to);
  const changed: string[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) [i, j] = [i + 1, j + 1];
    else if (j >= to.length || (i < from.length && at(common, i + 1, j) >= at(common, i, j + 1)))
      changed.push(`-${from[i++]}`);
    else changed.push(`+${to[j++]}`);
  }
  const left = changed.length - mostLines;
  return left > 0 ? [...changed.slice(0, mostLines), `(${left} lines more)`] : changed;
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, "").split("\n");
const at = (table: readonly (readonly number[])[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** Returns, for each pair of positions, the length of the longest common subsequence of lines from there on. */
function commonLengths(from: readonly string[], to: readonly string[]): readonly (readonly number[])[] {
  const table: number[][] = Array.from({ length: from.length + 1 }, () => []);
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const length =
        from[i] === to[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
      const row = table[i];
      if (row !== undefined) row[j] = length;
    }
  return table;
}
