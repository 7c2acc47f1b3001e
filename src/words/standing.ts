import type { Hindrance } from "../core/people/standing.ts";
import type { Trouble } from "../core/people/troubles.ts";
import type { Millis } from "../core/clock.ts";
import { englishStaffWords, type StaffWords } from "./staff.ts";

/** Formats a moment, in the reader's time zone where that is known. */
type Moment = (at: Millis) => string;

interface Wording {
  /** The language of the words (BCP 47). */
  readonly language: string;
  readonly words: Pick<StaffWords["reasons"], "standing" | "troubles">;
  readonly moment: Moment;
}

/** For commands and the API, which speak English. */
export const inEnglish = (moment: Moment): Wording => ({ language: "en", words: englishStaffWords().reasons, moment });

/** The only wording of a hindrance, for pages, commands and the API: part of a sentence, in lower case. */
export function hindranceInWords(hindrance: Hindrance, { language, words: { standing }, moment }: Wording): string {
  const { why, failures = 0, until, address, providers = [], organization = standing.anOrganization } = hindrance;
  const there = { address: address ?? standing.oneAddress };
  const untilThen = (what: string): string =>
    until === undefined ? what : standing.until({ what, moment: moment(until) });
  const afterWrong = (what: string): string => {
    const counted = failures === 0 ? what : standing.after({ what, count: failures });
    return address === undefined ? counted : standing.from({ what: counted, address });
  };
  switch (why) {
    case "disabled":
      return standing.disabled;
    case "locked":
      return afterWrong(untilThen(standing.locked));
    case "browser_locked":
      return afterWrong(untilThen(standing.browserLocked));
    case "blocked":
      return standing.opened({ what: afterWrong(standing.blocked) });
    case "rate_limited": {
      const what = untilThen(standing.noMore(there));
      return failures === 0 ? standing.tooManyTried({ what }) : standing.tried({ what, count: failures });
    }
    case "address_limited":
      return standing.wrongFromThere({ what: untilThen(standing.noSignIns(there)) });
    case "codes_used_up": {
      const what = untilThen(standing.noCodes);
      return failures === 0 ? standing.tooManyCodes({ what }) : standing.wrongCodes({ what, count: failures });
    }
    case "address_not_proven":
      return standing.addressNotProven;
    case "provider_demanded":
      return standing.providerDemanded({ organization });
    case "no_password":
      return standing.noPassword({ providers: new Intl.ListFormat(language, { type: "unit" }).format(providers) });
    case "no_way_in":
      return standing.noWayIn;
  }
}

/** Returns how far a clock is off, without the direction: "7 minutes", "2 hours". */
function lengthOf(offMs: number, language: string): string {
  const minutes = Math.max(1, Math.round(Math.abs(offMs) / 60_000));
  const [value, unit] = minutes < 90 ? [minutes, "minute"] : [Math.round(minutes / 6) / 10, "hour"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** The only wording of a trouble, for pages and commands: part of a sentence, in lower case. */
export function troubleInWords(trouble: Trouble, { language, words: { troubles }, moment: write }: Wording): string {
  const moment = write(trouble.at);
  switch (trouble.why) {
    case "mail_refused":
      return (trouble.isOfMailbox ? troubles.mailbox : troubles.mail)({ moment, answer: trouble.answer });
    case "wrong_codes": {
      const { count, offMs } = trouble;
      const what = troubles.wrongCodes({ count, moment });
      if (offMs === undefined) return what;
      return (offMs > 0 ? troubles.ahead : troubles.behind)({ what, length: lengthOf(offMs, language) });
    }
    case "second_step_unanswered": {
      const { count, codesLeft } = trouble;
      return troubles.codesLeft({ what: troubles.secondStep({ count, moment }), count: codesLeft });
    }
    case "wrong_passwords": {
      const { count, address } = trouble;
      const what = troubles.wrongPasswords({ count, moment });
      return address === undefined ? what : troubles.lastFrom({ what, address });
    }
    case "unused_sessions": {
      const { count, device } = trouble;
      return troubles.unusedSessions({ count, moment, device });
    }
  }
}
