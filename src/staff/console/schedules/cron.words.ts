import type { StaffWords } from "../../../words/staff.ts";

interface CronOptions {
  readonly words: StaffWords["schedules"]["often"];
  /** The language of the words (BCP 47). */
  readonly language: string;
}

const two = (number: string): string => number.padStart(2, "0");
const isNumber = (field: string): boolean => /^\d{1,2}$/.test(field);

/** Names a day of the week, counted from Sunday. */
const weekdayIn = (language: string, day: number): string =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2023, 0, 1 + (day % 7)));

/** Says in words how often a cron expression comes, for the shapes that schedules have; undefined for any other. */
export function cronInWords(cron: string, { words, language }: CronOptions): string | undefined {
  const [minute = "", hour = "", dayOfMonth = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  const everyDay = dayOfMonth === "*" && month === "*" && weekday === "*";
  if (hour === "*" && everyDay) {
    const step = /^\*(?:\/(\d{1,2}))?$/.exec(minute);
    if (step !== null) return words.minutes({ count: Number(step[1] ?? 1) });
    if (!isNumber(minute)) return undefined;
    return Number(minute) === 0 ? words.hour : words.hourAt({ minute });
  }
  if (!isNumber(minute) || !isNumber(hour)) return undefined;
  const time = `${two(hour)}:${two(minute)}`;
  if (everyDay) return words.day({ time });
  if (isNumber(weekday) && dayOfMonth === "*" && month === "*")
    return words.weekday({ weekday: weekdayIn(language, Number(weekday)), time });
  if (isNumber(dayOfMonth) && month === "*" && weekday === "*") return words.month({ day: dayOfMonth, time });
  return undefined;
}
