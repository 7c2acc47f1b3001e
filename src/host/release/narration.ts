import { HostFailure } from "../system/index.ts";

/** The audience of a release's messages. */
export interface Audience {
  /** Tells people, and the journal of the host, one line. */
  say(line: string): void;
  /** Tells people, and the journal of the host, one line about a failure. */
  complain(line: string): void;
  /** Whether somebody has asked for an end since the start. */
  isInterrupted(): boolean;
}

/** The messages of a release and the step that it has reached. */
export interface Narration extends Pick<Audience, "say" | "complain"> {
  /** Names the step that begins now, worded to follow `FAILED while …`. */
  begin(step: string): void;
  readonly step: string;
  /** Ends the release if somebody asked for that. Called only between steps: in the middle of one, nothing could be put back reliably. */
  heedInterrupt(): void;
  isInterrupted(): boolean;
  /** Ignores interrupts from now on, while changes are put back. */
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

/** Indents the lines that a program printed, below the line that introduces them. */
export const quoted = (text: string): readonly string[] => text.split("\n").map((line) => `      ${line}`);
