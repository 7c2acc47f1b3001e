/**
 * Returns the top of an axis that starts at 0 and has a tick in the middle: a round number no lower than the highest value, whose half is a
 * whole number as well.
 */
export function niceTop(highest: number): number {
  if (highest <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  return (
    [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= highest && step % 2 === 0) ?? highest
  );
}

/** Writes the ticks of an axis in little room: all of them in full, or all of them short. `language` is that of the page (BCP 47). */
export function ticksBelow(top: number, language: string): (value: number) => string {
  const format = new Intl.NumberFormat(language, { notation: top < 20_000 ? "standard" : "compact" });
  return (value) => format.format(value);
}

/** Returns a share in percent, which is 0 or 100 only where it is none or all. */
export function percent(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return "0 %";
  if (part >= whole) return "100 %";
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}
