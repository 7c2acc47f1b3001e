import type { Operation } from "./history.ts";

/** How long the fallback takes the secret before the current one. After that time an old secret is theft. */
const graceMs = 10_000;

const before = (a: Operation, b: Operation): boolean => a.returned < b.sent;
/** Whether `a` may have taken effect when `b` did. */
const mayPrecede = (a: Operation, b: Operation): boolean => a.sent < b.returned;
const accepted = (op: Operation): boolean => op.answer.outcome === "accepted";
const refused = (op: Operation): boolean => op.answer.outcome === "refused";

const isRotation = (op: Operation, session: string | undefined): boolean =>
  !refused(op) && op.session === session && (op.kind === "refresh" || op.kind === "change-password");

/** Returns the secrets of a session that no rotation has certainly replaced, the last to arrive first. */
export function newestSecrets(operations: readonly Operation[], session: string): string[] {
  const rotations = operations.filter((op) => accepted(op) && isRotation(op, session));
  return operations
    .filter((op) => (op.answer.opened ?? op.session) === session && !rotations.some((each) => before(op, each)))
    .toSorted((a, b) => b.returned - a.returned)
    .flatMap(({ answer }) => answer.secret ?? [])
    .filter((secret) => !rotations.some((each) => each.secret === secret));
}

/** Returns the passwords that no other one has certainly replaced, the last to be sent first: one of them is set. */
export function newestPasswords(operations: readonly Operation[], user: string): string[] {
  const setters = operations.filter((op) => op.user === user && op.newPassword !== undefined && !refused(op));
  return setters
    .filter((op) => !setters.some((each) => accepted(each) && before(op, each)))
    .toSorted((a, b) => b.sent - a.sent)
    .flatMap(({ newPassword }) => newPassword ?? []);
}

/**
 * Judges a history by a model that knows nothing of a server's inside: an operation took effect at some moment between its sending and its
 * answer. A violation is therefore one at every such moment, and never a matter of timing. Returns what is wrong, in words.
 */
export function violations(operations: readonly Operation[]): string[] {
  const found: string[] = [];
  const openedBy = new Map<string, Operation>();
  const issuedBy = new Map<string, Operation>();
  const grantedBy = new Map<string, Operation>();
  const setBy = new Map<string, Operation>();
  for (const op of operations) {
    if (op.answer.opened !== undefined) openedBy.set(op.answer.opened, op);
    if (op.answer.secret !== undefined) issuedBy.set(op.answer.secret, op);
    if (op.answer.grant !== undefined) grantedBy.set(op.answer.grant, op);
    if (op.newPassword !== undefined) setBy.set(op.newPassword, op);
  }

  /** Whether `op` ends the session if it takes effect after the session was opened. */
  function isMeantFor(op: Operation, session: string): boolean {
    switch (op.kind) {
      case "logout":
        return op.session === session;
      case "revoke":
        return op.target === session;
      case "logout-all":
      case "reset-confirm":
        return op.user === openedBy.get(session)?.user;
      case "change-password":
        return op.user === openedBy.get(session)?.user && op.session !== session;
      default:
        return false;
    }
  }

  const rotationsOf = (session: string | undefined): Operation[] => operations.filter((op) => isRotation(op, session));

  /** Returns the rotations that may have replaced the secret when `op` showed it. */
  function possibleSuccessors(secret: string, op: Operation): Operation[] {
    const issuer = issuedBy.get(secret);
    return rotationsOf(op.session).filter(
      (each) =>
        each !== op && each !== issuer && mayPrecede(each, op) && !(issuer !== undefined && before(each, issuer)),
    );
  }

  /** Returns the rotations that have replaced the secret, or its successor, when `op` showed it. */
  function certainSuccessors(secret: string, op: Operation): Operation[] {
    const issuer = issuedBy.get(secret);
    if (issuer === undefined) return [];
    return rotationsOf(op.session).filter((each) => accepted(each) && before(issuer, each) && before(each, op));
  }

  const isLate = (op: Operation, rotations: readonly Operation[]): boolean =>
    rotations.every((each) => op.sentAt - each.returnedAt > graceMs);
  const maybeLate = (op: Operation, rotations: readonly Operation[]): boolean =>
    rotations.some((each) => op.returnedAt - each.sentAt > graceMs);

  /** Whether `op` may be theft: a replaced secret that explicit refresh gets after the grace ends the session although it is refused. */
  const maybeTheft = (op: Operation): boolean =>
    op.kind === "refresh" &&
    !accepted(op) &&
    op.secret !== undefined &&
    maybeLate(op, possibleSuccessors(op.secret, op));
  const certainTheft = (op: Operation): boolean =>
    op.kind === "refresh" &&
    refused(op) &&
    op.secret !== undefined &&
    certainSuccessors(op.secret, op).length > 0 &&
    isLate(op, possibleSuccessors(op.secret, op));

  function mayHaveEnded(session: string, when: Operation): boolean {
    const opened = openedBy.get(session);
    return operations.some((op) => {
      if (op === when || !mayPrecede(op, when)) return false;
      if (op.session === session && maybeTheft(op)) return true;
      return !refused(op) && isMeantFor(op, session) && (opened === undefined || mayPrecede(opened, op));
    });
  }

  function endedBy(session: string, when: Operation): Operation | undefined {
    const opened = openedBy.get(session);
    return operations.find((op) => {
      if (op === when || !before(op, when)) return false;
      if (op.session === session && certainTheft(op)) return true;
      if (!accepted(op) || !isMeantFor(op, session)) return false;
      return op.kind === "logout" || op.kind === "revoke" || (opened !== undefined && before(opened, op));
    });
  }

  const settersOf = (user: string): Operation[] =>
    operations.filter((op) => op.user === user && op.newPassword !== undefined && !refused(op));
  const mayHaveReplaced = (password: string, op: Operation): boolean => {
    const setter = setBy.get(password);
    return settersOf(op.user).some(
      (each) =>
        each !== op && each !== setter && mayPrecede(each, op) && !(setter !== undefined && before(each, setter)),
    );
  };
  const wasSet = (password: string): boolean => {
    const setter = setBy.get(password);
    return setter !== undefined && accepted(setter);
  };
  const replacedBy = (password: string, op: Operation): Operation | undefined => {
    const setter = setBy.get(password);
    return settersOf(op.user).find(
      (each) => each !== op && accepted(each) && setter !== undefined && before(setter, each) && before(each, op),
    );
  };

  /**
   * Whether an operation voids a reset token: a reset with this token or another one does, and nothing that is done in a session does.
   * Tokens stand side by side.
   */
  const voids = (each: Operation, grant: string, op: Operation): boolean =>
    each.user === op.user && each !== op && each !== grantedBy.get(grant) && each.kind === "reset-confirm";
  const mayBeVoid = (grant: string, op: Operation): boolean => {
    const issuer = grantedBy.get(grant);
    return operations.some(
      (each) =>
        voids(each, grant, op) &&
        !refused(each) &&
        mayPrecede(each, op) &&
        !(issuer !== undefined && before(each, issuer)),
    );
  };
  const voidedBy = (grant: string, op: Operation): Operation | undefined => {
    const issuer = grantedBy.get(grant);
    return operations.find(
      (each) =>
        voids(each, grant, op) && accepted(each) && issuer !== undefined && before(issuer, each) && before(each, op),
    );
  };

  const complain = (op: Operation, what: string, because?: Operation): void => {
    found.push(
      `${what}: ${op.kind} ${op.sent} by ${op.by}${because === undefined ? "" : `, after ${because.kind} ${because.sent} by ${because.by}`}`,
    );
  };

  function judgeAccepted(op: Operation): void {
    const { session, secret, password, grant } = op;
    if (session !== undefined) {
      const end = endedBy(session, op);
      if (end !== undefined) complain(op, "accepted after the session had ended", end);
    }
    if (secret !== undefined) {
      const successors = certainSuccessors(secret, op);
      const [first] = successors;
      if (op.kind === "refresh" && first !== undefined) complain(op, "a swapped-out secret was accepted", first);
      const overdue = successors.length > 1 || (first !== undefined && isLate(op, possibleSuccessors(secret, op)));
      if (op.kind === "fallback" && overdue) complain(op, "the fallback took a secret beyond its grace", first);
    }
    if (password !== undefined) {
      const setter = replacedBy(password, op);
      if (setter !== undefined) complain(op, "a replaced password was accepted", setter);
    }
    if (grant !== undefined) {
      const cause = voidedBy(grant, op);
      if (cause !== undefined) complain(op, "a void reset token was accepted", cause);
    }
  }

  const mayBeRegistered = (op: Operation): boolean =>
    operations.some(
      (each) =>
        each !== op && each.kind === "register" && each.user === op.user && !refused(each) && mayPrecede(each, op),
    );

  function isJustified(op: Operation): boolean {
    const { session, secret, password, grant, target } = op;
    const code = op.answer.reason;
    if (code === "invalid_credentials") {
      return password !== undefined && (mayHaveReplaced(password, op) || !wasSet(password));
    }
    if (code === "invalid_reset_token") return grant !== undefined && mayBeVoid(grant, op);
    if (code === "session_not_found") return target !== undefined && mayHaveEnded(target, op);
    if (code === "email_taken") return op.kind === "register" && mayBeRegistered(op);
    if (code !== "unauthorized" || session === undefined) return false;
    if (mayHaveEnded(session, op)) return true;
    if (secret === undefined) return false;
    const successors = possibleSuccessors(secret, op);
    if (op.kind === "refresh") return successors.length > 0;
    return op.kind === "fallback" && (successors.length > 1 || maybeLate(op, successors));
  }

  function judgeSpentOnce(kind: Operation["kind"], proof: "secret" | "grant" | "password", what: string): void {
    const spent = new Map<string, Operation>();
    for (const op of operations) {
      const value = op[proof];
      if (op.kind !== kind || value === undefined || !accepted(op)) continue;
      const earlier = spent.get(value);
      if (earlier !== undefined) complain(op, `${what} was spent twice`, earlier);
      spent.set(value, op);
    }
  }

  /** A session that nothing can have ended must have shown, at the end of the run, that its newest secret works. */
  function judgeLost(): void {
    const closing = operations.filter((op) => op.closing && op.kind === "refresh");
    for (const session of new Set(closing.map((op) => op.session))) {
      const shown = closing.filter((op) => op.session === session);
      const last = shown.at(-1);
      if (session === undefined || last === undefined || shown.some(accepted) || mayHaveEnded(session, last)) continue;
      // A killed process may have rotated the secret without anybody having been told the new one.
      if (rotationsOf(session).some((op) => op.answer.outcome === "unknown")) continue;
      complain(last, "a session was lost: none of its secrets works");
    }
  }

  function judgeRegisteredOnce(): void {
    const users = new Map<string, Operation>();
    for (const op of operations) {
      if (op.kind !== "register" || !accepted(op)) continue;
      const earlier = users.get(op.user);
      if (earlier !== undefined) complain(op, "an address was registered twice", earlier);
      users.set(op.user, op);
    }
  }

  /** One of the passwords that may be set at the end of the run must work. */
  function judgeLockedOut(): void {
    const closing = operations.filter((op) => op.closing && op.kind === "login");
    for (const user of new Set(closing.map((op) => op.user))) {
      const shown = closing.filter((op) => op.user === user);
      const last = shown.at(-1);
      if (last !== undefined && !shown.some(accepted)) complain(last, "no password works");
    }
  }

  for (const op of operations) {
    if (accepted(op)) judgeAccepted(op);
    else if (refused(op) && !isJustified(op)) complain(op, `refused without cause (${op.answer.reason ?? "no code"})`);
  }
  judgeSpentOnce("refresh", "secret", "a refresh secret");
  judgeSpentOnce("reset-confirm", "grant", "a reset token");
  judgeSpentOnce("change-password", "password", "a password already changed");
  judgeRegisteredOnce();
  judgeLost();
  judgeLockedOut();
  return found;
}
