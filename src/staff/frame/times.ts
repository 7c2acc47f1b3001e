import type { Millis } from "../../core/clock.ts";
import { createTimes as createTimesIn, type PersonContext } from "../../kit/index.ts";
import type { StaffWords } from "../../words/staff.ts";

interface TimesOptions extends Pick<PersonContext, "speech"> {
  /** The zone that the reader's profile names (IANA). */
  readonly zone: string | null;
  readonly now: Millis;
  readonly words: StaffWords["frame"];
}

/** Writes moments for one of the staff. English has hours from 0 to 23 here, where a reader names no region. */
export const createTimes = ({ zone, now, speech, words }: TimesOptions) =>
  createTimesIn({ zone, now, tag: speech.language === "en" ? "en-GB" : speech.words.tag, words });
