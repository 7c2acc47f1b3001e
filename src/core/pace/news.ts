import { minute, type Clock } from "../clock.ts";

/** Subjects that are remembered: more are forgotten together, and then told anew. */
const mostKept = 10_000;

/** Tells what is to be said once a minute for each subject, so that a client which asks again and again fills no log. */
export function createNews(clock: Clock) {
  const quietUntil = new Map<string, number>();

  return function isNews(subject: string): boolean {
    const now = clock.now();
    const until = quietUntil.get(subject) ?? 0;
    // A time that lies further ahead than a minute was written by a clock that has jumped since.
    if (now < until && until <= now + minute) return false;
    if (quietUntil.size >= mostKept) quietUntil.clear();
    quietUntil.set(subject, now + minute);
    return true;
  };
}
