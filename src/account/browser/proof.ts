import { signal, type ReadonlySignal } from "@preact/signals";
import type { Result } from "../../client/index.ts";

/** A dialog asks for a proof of who is there; how that ended is told here. */
interface Question {
  readonly answer: (isProven: boolean) => void;
}

export interface Proof {
  /** Undefined while nothing is asked. */
  readonly question: ReadonlySignal<Question | undefined>;
  /** Does something that may take a fresh proof of identity: asks for one where it does, and then tries once more. */
  prove<T>(act: () => Promise<Result<T>>): Promise<Result<T>>;
}

export function createProof(): Proof {
  const question = signal<Question | undefined>(undefined);

  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      question.value?.answer(false);
      const asked: Question = {
        answer(isProven) {
          // A dialog that goes tells once more that it was closed, when something else may be asked already.
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
