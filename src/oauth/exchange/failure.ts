import type { ExchangeReason } from "../../core/errors.ts";

/** Thrown when an exchange fails. The message is for operators: it holds nothing that the provider or the browser sent. */
export class ExchangeFailure extends Error {
  readonly reason: ExchangeReason;

  constructor(reason: ExchangeReason, details: { readonly detail?: string; readonly cause?: unknown } = {}) {
    super(details.detail === undefined ? reason : `${reason}: ${details.detail}`, { cause: details.cause });
    this.name = "ExchangeFailure";
    this.reason = reason;
  }
}
