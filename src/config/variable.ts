import { hour } from "../core/clock.ts";

export type VariableKind =
  | { readonly type: "text" }
  | { readonly type: "url" }
  | { readonly type: "email" }
  | { readonly type: "mailbox" }
  | { readonly type: "flag" }
  | { readonly type: "debug" }
  | { readonly type: "duration"; readonly minMs?: number; readonly maxMs?: number }
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "ratio" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "list" }
  | { readonly type: "tenant" }
  | { readonly type: "p256-key" }
  | { readonly type: "cidrs" };

export interface Variable {
  readonly name: string;
  readonly group: string;
  readonly kind: VariableKind;
  /** As it would be written in the environment; undefined when it has none. */
  readonly fallback: string | undefined;
  readonly description: string;
  readonly secret?: true;
}

export const text = { type: "text" } as const;
export const flag = { type: "flag" } as const;
// Longer than a supervisor waits makes no sense, and timers end at 24 days.
export const duration = { type: "duration", maxMs: hour } as const;
export const positiveDuration = { type: "duration", minMs: 1 } as const;
export const count = { type: "integer", min: 1, max: 1_000_000 } as const;
export const port = { type: "integer", min: 0, max: 65_535 } as const;
export const choice = <const Of extends readonly string[]>(...of: Of) => ({ type: "choice", of }) as const;
