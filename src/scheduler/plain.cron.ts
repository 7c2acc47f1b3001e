import { minute, type Millis } from "../core/clock.ts";

type Field = (value: number) => boolean;

/** Reads a field: one number, `*`, or where `steps` is true a star with a step. Returns undefined for any other. */
function fieldOf(text: string | undefined, least: number, most: number, steps = false): Field | undefined {
  if (text === "*") return () => true;
  const step = steps ? Number(/^\*\/([1-9]\d?)$/.exec(text ?? "")?.[1]) : Number.NaN;
  if (step <= most) return (value) => value % step === 0;
  const wanted = /^\d{1,2}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return wanted >= least && wanted <= most ? (value) => value === wanted : undefined;
}

/** The most steps: as many as a year has days, a day hours and an hour minutes together, and some more. */
const mostSteps = 500;

/**
 * Returns the first time after `after`, in UTC, that matches an expression of the shapes that nearly all schedules have. Returns undefined
 * for other expressions, and for one that comes less than once a year. Bun.cron.parse reads them all, but its first call takes 10 ms, a
 * tenth of a start.
 */
export function plainTick(cron: string, after: Millis): Millis | undefined {
  const [minutes, hours, day, month, weekday, ...more] = cron.split(" ");
  const isMinute = fieldOf(minutes, 0, 59, true);
  const isHour = fieldOf(hours, 0, 23, true);
  const isDay = fieldOf(day, 1, 31);
  const isMonth = fieldOf(month, 1, 12);
  const isWeekday = fieldOf(weekday, 0, 6);
  if (!isMinute || !isHour || !isDay || !isMonth || !isWeekday || more.length > 0) return undefined;
  // Cron takes a match of either where both a day and a weekday are given, which this function can't do.
  if (day !== "*" && weekday !== "*") return undefined;
  const at = new Date(after - (after % minute) + minute);
  for (let step = 0; step < mostSteps; step += 1) {
    if (!isMonth(at.getUTCMonth() + 1) || !isDay(at.getUTCDate()) || !isWeekday(at.getUTCDay()))
      at.setUTCHours(24, 0, 0, 0);
    else if (!isHour(at.getUTCHours())) at.setUTCHours(at.getUTCHours() + 1, 0, 0, 0);
    else if (!isMinute(at.getUTCMinutes())) at.setUTCMinutes(at.getUTCMinutes() + 1);
    else return at.getTime();
  }
  return undefined;
}
