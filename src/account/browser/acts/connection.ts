import { signal } from "@preact/signals";
import type { Failure, Result } from "../../../client/index.ts";
import type { Words } from "../../shared/words.ts";

type Trouble = Exclude<keyof Words["trouble"], "reference" | "again" | "sessionEnded">;

/** Watches the connection to the service, so that one place reports its trouble and no form has to. */
export function createConnection() {
  /** The trouble that keeps every request from being answered; undefined without trouble. */
  const trouble = signal<{ readonly kind: Trouble; readonly requestId?: string | undefined } | undefined>(
    navigator.onLine ? undefined : { kind: "offline" },
  );
  addEventListener("offline", () => void (trouble.value = { kind: "offline" }));
  addEventListener("online", () => void (trouble.value = undefined));
  return {
    trouble,
    /** Takes note of the result of a request, and returns it. Every request's result has to pass through here. */
    heard<T extends Result>(result: T): T {
      const kind = result.ok ? undefined : troubleOf(result);
      const requestId = result.ok ? undefined : result.requestId;
      trouble.value = kind && { kind, requestId };
      return result;
    },
  };
}

/** Returns the trouble that a failure shows; undefined for an answer that concerns its request alone. */
export function troubleOf({ code }: Failure): Trouble | undefined {
  switch (code) {
    case "network":
    case "timeout":
      return navigator.onLine ? "unreachable" : "offline";
    case "maintenance":
      return "maintenance";
    case "unavailable":
    case "overloaded":
      return "unavailable";
    case "internal_error":
    case "invalid_response":
      return "broken";
    default:
      return undefined;
  }
}
