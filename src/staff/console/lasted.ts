const wholly = (amount: string | number, unit: string): string => `${amount}\u00a0${unit}`;

/**
 * Writes how long something took, with the symbols of units that all languages share, and numbers as a language (BCP 47) does: `340 ms`, `3.4 s`,
 * `2 min 5 s`. It stays on one line.
 */
export function lasted(ms: number, language: string): string {
  if (ms < 1_000) return wholly(ms, "ms");
  const seconds = Math.round(ms / 1_000);
  if (seconds >= 60) return [wholly(Math.floor(seconds / 60), "min"), wholly(seconds % 60, "s")].join("\u00a0");
  const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return wholly(new Intl.NumberFormat(language, tenths).format(ms / 1_000), "s");
}
