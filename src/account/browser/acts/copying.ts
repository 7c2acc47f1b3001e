import { useSignal } from "@preact/signals";
import { useAccount } from "../context.ts";

/** Copies texts. `isPossible`: browsers can only on pages with TLS and on localhost. `outcome` says in words whether it worked. */
export function useCopying() {
  const { words } = useAccount();
  const outcome = useSignal("");
  return {
    isPossible: "clipboard" in navigator,
    outcome,
    copy(text: string, done: string): void {
      navigator.clipboard.writeText(text).then(
        () => void (outcome.value = done),
        () => void (outcome.value = words.value.factors.notCopied),
      );
    },
  };
}

/** Has the browser save a file as if it had been downloaded. */
export function saveAs(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
