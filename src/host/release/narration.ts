import { HostFailure } from "../system/index.ts";

export interface Audience {
  /** Tells people, and the journal of the host, one line. */
  say(line: string): void;
  complain(line: string): void;
  isInterrupted(): boolean;
}

export type Narration = ReturnType<typeof createNarration>;

export const interruption = (): HostFailure => new HostFailure("interrupted", "run it again when you are ready");

/** Passes on the messages of a release, and knows the step that it has reached. */
export function createNarration({ say, complain, isInterrupted }: Audience) {
  let step = "getting ready";
  let heeds = true;
  const asked = (): boolean => heeds && isInterrupted();
  return {
    say,
    complain,
    get step(): string {
      return step;
    },
    /** Names the step that begins now, worded to follow `FAILED while …`. */
    begin(next: string): void {
      step = next;
    },
    /** Ends the release if somebody asked for that. Called only between steps: in the middle of one, nothing could be put back reliably. */
    heedInterrupt(): void {
      if (asked()) throw interruption();
    },
    isInterrupted: asked,
    /** Ignores interrupts from now on, while changes are put back. */
    ignoreInterrupts(): void {
      heeds = false;
    },
  };
}

/** Indents the lines that a program printed, below the line that introduces them. */
export const quoted = (text: string): readonly string[] => text.split("\n").map((line) => `      ${line}`);
