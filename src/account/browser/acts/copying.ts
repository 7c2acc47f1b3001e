import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useAccount } from "../context.ts";

interface Copying {
  /** Whether this browser can copy. Browsers can only on pages with TLS and on localhost. */
  readonly isPossible: boolean;
  /** Says in words whether the copying worked. */
  readonly outcome: ReadonlySignal<string>;
  copy(text: string, done: string): void;
}

export function useCopying(): Copying {
  const { words } = useAccount();
  const outcome = useSignal("");
  return {
    isPossible: "clipboard" in navigator,
    outcome,
    copy(text, done) {
      navigator.clipboard.writeText(text).then(
        () => void (outcome.value = done),
        () => void (outcome.value = words.value.factors.notCopied),
      );
    },
  };
}
