import { HostFailure } from "../system/index.ts";

/** Where a release tells how it goes. */
export interface Audience {
  /** One line for people, and the same for the journal of the host. */
  say(line: string): void;
  /** The same about what went wrong. */
  complain(line: string): void;
  /** Whether somebody asked for an end since the start. */
  isInterrupted(): boolean;
}

/** What a release says, and which step it is at. */
export interface Narration extends Pick<Audience, "say" | "complain"> {
  /** Names what begins now, as `FAILED while …` ends. */
  begin(step: string): void;
  readonly step: string;
  /** Ends the release between two steps where somebody asked for it: in the middle of one nothing could be put back reliably. */
  heedInterrupt(): void;
  isInterrupted(): boolean;
  /** From now on nobody can interrupt: what was changed is put back. */
  ignoreInterrupts(): void;
}

export const interruption = (): HostFailure => new HostFailure("interrupted", "run it again when you are ready");

export function createNarration({ say, complain, isInterrupted }: Audience): Narration {
  let step = "getting ready";
  let heeds = true;
  const asked = (): boolean => heeds && isInterrupted();
  return {
    say,
    complain,
    get step() {
      return step;
    },
    begin(next) {
      step = next;
    },
    heedInterrupt() {
      if (asked()) throw interruption();
    },
    isInterrupted: asked,
    ignoreInterrupts() {
      heeds = false;
    },
  };
}

/** Lines that a program has printed, below the line that speaks of them. */
export const quoted = (text: string): readonly string[] => text.split("\n").map((line) => `      ${line}`);
