import { signal } from "@preact/signals";
import type { Result } from "../../../client/index.ts";

export function createProof() {
  /** The question for a proof, which a dialog asks and answers; undefined while nothing is asked. */
  const question = signal<{ readonly answer: (isProven: boolean) => void } | undefined>(undefined);

  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      question.value?.answer(false);
      const asked = {
        answer(isProven: boolean) {
          // The service may answer a proof late, when another question is already open.
          if (question.value === asked) question.value = undefined;
          resolve(isProven);
        },
      };
      question.value = asked;
    });

  return {
    question,
    /** Does an act. Where the act needs a fresh proof of identity, asks for one and tries again once. */
    async prove<T>(act: () => Promise<Result<T>>): Promise<Result<T>> {
      const result = await act();
      if (result.ok || result.code !== "reauthentication_required") return result;
      return (await ask()) ? act() : result;
    },
  };
}
