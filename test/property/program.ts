import fc from "fast-check";

/** The next thing that a client does. A burst is sent at once, to all processes in turn. */
export type Step =
  | {
      readonly do:
        | "hello"
        | "fallback"
        | "refresh"
        | "logout"
        | "logout-all"
        | "login"
        | "change-password"
        | "reset-request";
    }
  | { readonly do: "revoke"; readonly whose: number }
  | { readonly do: "reset-confirm"; readonly times: number }
  | { readonly do: "burst"; readonly of: readonly ("hello" | "fallback" | "refresh")[] }
  | { readonly do: "pause"; readonly length: number };

/** Clients that run at the same time, each its steps in order. */
export type Program = readonly {
  /** The session of the account that the client starts with. Two clients with one session are two tabs, or a thief. */
  readonly session: number;
  readonly steps: readonly Step[];
}[];

interface ProgramShape {
  readonly clients: { readonly min: number; readonly max: number };
  readonly steps: number;
  /** Lengths of pauses to choose from; the player says what they mean. */
  readonly pauses: readonly [number, ...number[]];
}

const plain = fc.constantFrom(
  "hello",
  "fallback",
  "refresh",
  "logout",
  "logout-all",
  "login",
  "change-password",
  "reset-request",
);
const burst = fc.array(fc.constantFrom("hello", "fallback", "refresh", "refresh"), { minLength: 2, maxLength: 5 });

export function programs({ clients, steps, pauses }: ProgramShape): fc.Arbitrary<Program> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("hello", "fallback", "refresh") }) },
    { weight: 4, arbitrary: fc.record({ do: plain }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("burst"), of: burst }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("revoke"), whose: fc.nat(clients.max - 1) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("reset-confirm"), times: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("pause"), length: fc.constantFrom(...pauses) }) },
  );
  const client = fc.record({
    session: fc.nat(clients.max - 1),
    steps: fc.array(step, { minLength: 1, maxLength: steps }),
  });
  return fc.array(client, { minLength: clients.min, maxLength: clients.max });
}
