import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ExchangeReason } from "../../core/errors.ts";
import { ExchangeFailure } from "./failure.ts";

/**
 * Returns what a provider has sent, where it has the shape. A member that is null counts as absent, as providers write what they do not
 * know. Throws ExchangeFailure, which names the member at fault and repeats nothing that was sent.
 */
export function shaped<Schema extends TSchema>(schema: Schema, sent: unknown, reason: ExchangeReason): Static<Schema> {
  const value = withoutNulls(sent);
  if (Value.Check(schema, value)) return value;
  throw new ExchangeFailure(reason, { detail: faultIn(schema, value) });
}

const withoutNulls = (sent: unknown): unknown =>
  typeof sent === "object" && sent !== null && !Array.isArray(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([, member]) => member !== null))
    : sent;

function faultIn(schema: TSchema, value: unknown): string {
  const fault = Value.Errors(schema, value).First();
  const member = fault?.path.slice(1) ?? "";
  const complaint = fault?.message.toLowerCase() ?? "";
  if (member === "") return complaint;
  return fault?.value === undefined ? `${member} is missing` : `${member}: ${complaint}`;
}
