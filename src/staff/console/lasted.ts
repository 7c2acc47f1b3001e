/** Writes how long something took, with the symbols of units that all languages share, and numbers as a language (BCP 47) does: `340 ms`, `3.4 s`, `2 min 5 s`. */
export function lasted(ms: number, language: string): string {
  if (ms < 1_000) return `${ms} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${new Intl.NumberFormat(language, tenths).format(ms / 1_000)} s`;
}
