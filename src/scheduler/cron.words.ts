const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const two = (number: string): string => number.padStart(2, "0");
const isNumber = (field: string): boolean => /^\d{1,2}$/.test(field);

/** Says in words how often a cron expression comes, for the shapes that schedules have; undefined for any other. */
export function cronInWords(cron: string): string | undefined {
  const [minute = "", hour = "", dayOfMonth = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  const everyDay = dayOfMonth === "*" && month === "*" && weekday === "*";
  if (hour === "*" && everyDay) {
    if (minute === "*") return "every minute";
    const step = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
    if (step !== undefined) return `every ${step} minutes`;
    return isNumber(minute) ? `every hour, ${minute === "0" ? "on the hour" : `at minute ${minute}`}` : undefined;
  }
  if (!isNumber(minute) || !isNumber(hour)) return undefined;
  const time = `${two(hour)}:${two(minute)} UTC`;
  if (everyDay) return `every day at ${time}`;
  const day = isNumber(weekday) ? days[Number(weekday) % 7] : undefined;
  if (day !== undefined && dayOfMonth === "*" && month === "*") return `every ${day} at ${time}`;
  if (isNumber(dayOfMonth) && month === "*" && weekday === "*") return `on day ${dayOfMonth} of every month at ${time}`;
  return undefined;
}
