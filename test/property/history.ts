/** One request of a client to a process: its time and its answer. Operations are enough to judge a run afterwards, and to print it. */
export interface Operation {
  readonly kind: OperationKind;
  /** Client and process, for the printout alone. */
  readonly by: string;
  readonly user: string;
  /** The session whose cookies were shown. */
  readonly session: string | undefined;
  /** The refresh token that was shown, where it decides the answer. */
  readonly secret: string | undefined;
  /** The session to be revoked. */
  readonly target: string | undefined;
  /** The password shown. */
  readonly password: string | undefined;
  /** The password to be set. */
  readonly newPassword: string | undefined;
  /** The reset token shown. */
  readonly grant: string | undefined;
  /** Whether the operation is part of the sequential end of a run, in which every session must show what became of it. */
  readonly closing: boolean;
  /** Positions in the one order of all sendings and returns; `returned` is Infinity where no answer came and may yet. */
  readonly sent: number;
  readonly returned: number;
  /** Milliseconds of the clock that the service goes by, or of one that runs as fast. */
  readonly sentAt: number;
  readonly returnedAt: number;
  readonly answer: Answer;
}

export type OperationKind =
  | "register"
  | "login"
  | "hello"
  | "fallback"
  | "refresh"
  | "logout"
  | "logout-all"
  | "revoke"
  | "change-password"
  | "reset-request"
  /** A reset that is asked for here and mailed later. */
  | "mail-request"
  /** A reset token arrived by mail; it was made at some time since the first request. */
  | "mail"
  | "reset-confirm";

export interface Answer {
  /** `unknown` means that no answer came (a killed process), so the operation may have taken effect or not. */
  readonly outcome: "accepted" | "refused" | "unknown";
  /** Whether the process that gave no answer is dead by now: it will never do what it has not done. */
  readonly over?: boolean | undefined;
  /** The error code of a refusal. */
  readonly reason?: string | undefined;
  /** The session that was opened. */
  readonly opened?: string | undefined;
  readonly access?: string | undefined;
  /** The refresh token that was issued. */
  readonly secret?: string | undefined;
  /** The reset token that was handed out. */
  readonly grant?: string | undefined;
}

export type Intent = Pick<Operation, "kind" | "by" | "user"> &
  Partial<Pick<Operation, "session" | "secret" | "target" | "password" | "newPassword" | "grant" | "closing">>;

const unanswered: Answer = { outcome: "unknown" };

export function createHistory(now: () => number) {
  let events = 0;
  const operations: Operation[] = [];

  const start = (intent: Intent) => ({
    session: undefined,
    secret: undefined,
    target: undefined,
    password: undefined,
    newPassword: undefined,
    grant: undefined,
    closing: false,
    ...intent,
    sent: ++events,
    sentAt: now(),
    returned: Number.POSITIVE_INFINITY,
    returnedAt: Number.POSITIVE_INFINITY,
    answer: unanswered,
  });

  return {
    operations,

    /** Records an operation. A failure to get an answer is part of the history, not an error. */
    async record(intent: Intent, send: () => Promise<Answer>): Promise<Answer> {
      const operation = start(intent);
      operations.push(operation);
      operation.answer = await send();
      if (operation.answer.outcome !== "unknown" || operation.answer.over === true) {
        operation.returned = ++events;
        operation.returnedAt = now();
      }
      return operation.answer;
    },

    /** Records what is known to have happened by now, and not before `since`. */
    given(intent: Intent, answer: Answer, since?: Operation): void {
      const operation = start(intent);
      const { sent, sentAt } = since ?? operation;
      operations.push({ ...operation, sent, sentAt, returned: ++events, returnedAt: now(), answer });
    },
  };
}

export type History = ReturnType<typeof createHistory>;

/** Prints one line for each operation, in the order of sending, with names in place of tokens. */
export function printHistory(operations: readonly Operation[]): string {
  const names = new Map<string, string>();
  const name = (prefix: string, value: string | undefined): string => {
    if (value === undefined) return "";
    const known =
      names.get(value) ?? `${prefix}${[...names.values()].filter((each) => each.startsWith(prefix)).length + 1}`;
    names.set(value, known);
    return known;
  };
  return operations
    .toSorted((a, b) => a.sent - b.sent)
    .map(({ answer, ...op }) => {
      const shown = [name("session", op.session), name("secret", op.secret), name("session", op.target)];
      const passwords = [op.password, op.newPassword, op.grant].filter((each) => each !== undefined);
      const got = [name("session", answer.opened), name("secret", answer.secret), answer.grant ?? ""];
      const time = `${op.sent}-${op.returned} (${op.sentAt.toFixed(1)}-${op.returnedAt.toFixed(1)} ms)`;
      const asked = [op.kind, ...shown, ...passwords].filter((each) => each !== "").join(" ");
      return `${time} ${op.by}: ${asked} → ${[answer.outcome, answer.reason ?? "", ...got].filter((each) => each !== "").join(" ")}`;
    })
    .join("\n");
}
