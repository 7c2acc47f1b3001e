import { hour, minute, second } from "../clock.ts";

const unitMs = { ms: 1, s: second, m: minute, h: hour } as const;
const duration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const part = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/** Reads a Go-style duration (`15m`, `1h30m`, `0`) as milliseconds. Returns undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (!duration.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(part)) {
    if (unit === "ms" || unit === "s" || unit === "m" || unit === "h") total += Number(amount) * unitMs[unit];
  }
  return Number.isSafeInteger(total) ? total : undefined;
}
