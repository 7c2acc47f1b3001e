import { signal, type ReadonlySignal } from "@preact/signals";
import type { Result } from "../../../client/index.ts";

/** Asks for a proof in a dialog, which reports the outcome through `answer`. */
interface Question {
  readonly answer: (isProven: boolean) => void;
}

export interface Proof {
  /** Undefined while nothing is asked. */
  readonly question: ReadonlySignal<Question | undefined>;
  /** Does an act. Where the act needs a fresh proof of identity, asks for one and tries again once. */
  prove<T>(act: () => Promise<Result<T>>): Promise<Result<T>>;
}

export function createProof(): Proof {
  const question = signal<Question | undefined>(undefined);

  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      question.value?.answer(false);
      const asked: Question = {
        answer(isProven) {
          // A dialog that disappears reports its closing once more, when another question may already be open.
          if (question.value === asked) question.value = undefined;
          resolve(isProven);
        },
      };
      question.value = asked;
    });

  return {
    question,
    async prove(act) {
      const result = await act();
      if (result.ok || result.code !== "reauthentication_required") return result;
      return (await ask()) ? act() : result;
    },
  };
}
