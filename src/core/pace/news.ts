import { minute, type Clock } from "../clock.ts";

/** Subjects that are remembered: more are forgotten together, and then told anew. */
const mostKept = 10_000;

/** Tells what is to be said once a minute for each subject, or so often, so that a client which asks again and again fills no log. */
export function createNews(clock: Clock, timesAMinute = 1) {
  const subjects = new Map<string, { readonly until: number; times: number }>();

  return function isNews(subject: string): boolean {
    const now = clock.now();
    const told = subjects.get(subject);
    // A time that lies further ahead than a minute was written by a clock that has jumped since.
    if (told !== undefined && now < told.until && told.until <= now + minute) return (told.times += 1) <= timesAMinute;
    if (subjects.size >= mostKept) subjects.clear();
    subjects.set(subject, { until: now + minute, times: 1 });
    return true;
  };
}
