export const mostSuggested = 3;
/** The longest word to compare: a longer one is no slip of any name, and comparing costs the product of both lengths. */
const longestWord = 64;

/** Counts the letters that are added, left out, changed, or swapped with a neighbour between two words. */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      current[at] = Math.min(
        (above[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (above[at - 1] ?? 0) + (isSame ? 0 : 1),
        swapped ? (before[at - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = above;
    above = current;
  }
  return above[other.length] ?? 0;
}

/** Returns names that a mistyped word may stand for: those one slip away, otherwise those that begin with it, otherwise the nearest. */
export function meantBy(word: string, names: Iterable<string>): readonly string[] {
  if (word === "" || word.length > longestWord) return [];
  const written = word.toLowerCase();
  const known = [...names];
  const slips = new Map(known.map((name) => [name, slipsBetween(written, name.toLowerCase())]));
  const fewest = Math.min(...slips.values());
  const begun = written.length < 2 ? [] : known.filter((name) => name.toLowerCase().startsWith(written));
  if (fewest > 1 && begun.length > 0) return begun.length <= mostSuggested ? begun : [];
  if (fewest > Math.max(1, Math.floor(written.length / 3))) return [];
  return known.filter((name) => slips.get(name) === fewest).slice(0, mostSuggested);
}

/** Returns `did you mean a, b or c?`, or undefined without names. */
export function didYouMean(names: readonly string[]): string | undefined {
  const last = names.at(-1);
  if (last === undefined) return undefined;
  const others = names.slice(0, -1).join(", ");
  return `did you mean ${others === "" ? last : `${others} or ${last}`}?`;
}
