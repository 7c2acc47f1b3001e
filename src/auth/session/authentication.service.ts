import { dayOf, minute, type Clock } from "../../core/clock.ts";
import type { SessionFlaw } from "../../core/flaws.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { AccessTokens } from "./access.token.ts";
import { flawBehind, type Liveness } from "./liveness.ts";
import { isImpersonated } from "./session.columns.ts";
import { secretMismatch, type RefreshTokens } from "./refresh.token.ts";
import type { Refreshable, SessionRepository, SessionRow } from "./session.repository.ts";

export interface Credentials {
  /** An access JWT given as `Authorization: Bearer`; excludes the cookies. */
  readonly bearer: string | undefined;
  readonly access: string | undefined;
  /** Called only when the access token does not serve. */
  readonly refresh: () => string | undefined;
  /** Returns all values of both cookies, at most `most` of each. Called only where one value of each does not serve. */
  readonly all: (most: number) => Candidates;
}

interface Candidates {
  readonly access: readonly string[];
  readonly refresh: readonly string[];
}

/** Why the access and the refresh token were not used; only inspects read it. */
interface TokenFlaws {
  readonly access?: SessionFlaw;
  readonly refresh?: SessionFlaw;
}

export type Authentication<Row = SessionRow> = TokenFlaws &
  (
    | { readonly session: Row; readonly reissuedAccess: string | undefined }
    | { readonly refused: SessionFlaw; readonly row?: SessionRow | undefined }
  );

/** A session that credentials open. `reissue` makes the access token that its browser lacks. */
type Found<Row> = TokenFlaws &
  (
    | { readonly session: Row; readonly reissuedAccess: undefined; readonly reissue?: () => Promise<string> }
    | { readonly refused: SessionFlaw; readonly row?: SessionRow | undefined }
  );

/** Reads of the deciding row, with the columns of the user that its reader needs, and no more. */
interface SessionReads<Row> {
  readonly find: (id: string) => Promise<Row | undefined>;
  readonly findRefreshable: (id: string) => Promise<(Row & Refreshable) | undefined>;
}

interface AuthenticationOptions<Row> {
  readonly rows: SessionReads<Row>;
  readonly idleTtlMs: number;
  readonly database: Database;
  readonly sessions: SessionRepository;
  readonly users: UserRepository;
  readonly liveness: Liveness;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly clock: Clock;
  readonly log: Log;
}

/** How many duplicate cookies a request may try, and how many a logout ends. */
const mostTried = 4;
const mostEnded = 32;

/** Finds out who sends a request: the tokens name a session, its row decides. */
export function createAuthentication<Row extends SessionRow>(options: AuthenticationOptions<Row>) {
  const { rows, idleTtlMs, database, sessions, users, liveness, accessTokens, refreshTokens, clock, log } = options;
  const touchEveryMs = Math.min(minute, idleTtlMs / 4);

  /** Keeps `last_seen_at` within a minute of the truth, and its day true. Staff in somebody's name are not the person. */
  async function touch(row: SessionRow): Promise<void> {
    const now = clock.now();
    try {
      const person = isImpersonated(row) ? [] : [users.seen(row.userId, now)];
      // Each by itself, since neither needs the other: single writes share commits.
      const writes = [...person, sessions.touch(row.id, now)];
      await Promise.all(writes.map(({ sql, params }) => database.run(sql, params, { durable: false })));
    } catch (error) {
      log.warn("last_seen_at not written", { session: row.id, error });
    }
  }

  const refuse = async (flaw: SessionFlaw, row: Row | undefined): Promise<Found<Row>> => ({
    refused: await flawBehind(flaw, row, sessions),
    row,
  });

  function accept(row: Row | undefined): Found<Row> | Promise<Found<Row>> {
    const now = clock.now();
    const refused = liveness.flawOf(row, now);
    if (row === undefined || refused !== undefined) return refuse(refused ?? "session_not_found", row);
    const accepted = { session: row, reissuedAccess: undefined } as const;
    const isKnown = row.lastSeenAt + touchEveryMs > now && row.lastSeenAt >= dayOf(now);
    return isKnown ? accepted : touch(row).then(() => accepted);
  }

  /** Finds the session of a request whose access cookie is missing or stale. */
  async function byRefreshToken(refresh: string): Promise<Found<Row>> {
    const token = refreshTokens.parse(refresh);
    if (token === undefined) return { refused: "invalid_refresh_token" };
    const row = await rows.findRefreshable(token.sessionId);
    const accepted = await accept(row);
    if (row === undefined || "refused" in accepted) return accepted;
    const mismatch = secretMismatch(row, token, clock.now());
    const justSwappedOut = mismatch === "refresh_hash_mismatch_grace" && token.generation === row.generation - 1;
    if (mismatch !== undefined && !justSwappedOut) return { refused: mismatch, row };
    const reissue = (): Promise<string> => accessTokens.sign({ id: row.userId, username: row.username }, row);
    return { session: row, reissuedAccess: undefined, reissue, ...(mismatch && { refresh: mismatch }) };
  }

  /**
   * Makes the access token that a browser lacks; never rotates. Throws `denied_by_hook`. The row decides once more, because a hook that was
   * asked may have taken seconds.
   */
  async function handOut(found: Found<Row>): Promise<Authentication<Row>> {
    if ("refused" in found || found.reissue === undefined) return found;
    const { reissue, session, access, refresh } = found;
    const reissuedAccess = await reissue();
    const still = await accept(await rows.find(session.id));
    const flaws = { ...(access && { access }), ...(refresh && { refresh }) };
    return "refused" in still ? { ...flaws, ...still } : { ...flaws, session: still.session, reissuedAccess };
  }

  async function find(credentials: Credentials): Promise<Found<Row>> {
    const usual = await findUsually(credentials);
    if (!("refused" in usual) || credentials.bearer !== undefined) return usual;
    return (await firstServing(credentials.all(mostTried))) ?? usual;
  }

  /** Checks one cookie of each name, which is all that nearly every browser sends. */
  async function findUsually({ bearer, access, refresh }: Credentials): Promise<Found<Row>> {
    const token = bearer ?? access;
    const claims = token === undefined ? undefined : await accessTokens.verify(token);
    if (claims !== undefined) return accept(await rows.find(claims.sessionId));
    if (bearer !== undefined) return { refused: "invalid_access_token" };
    const flaw = token === undefined ? "missing_access_cookie" : "invalid_access_token";
    const refreshToken = refresh();
    if (refreshToken === undefined) return { refused: flaw, access: flaw, refresh: "missing_refresh_cookie" };
    return { ...(await byRefreshToken(refreshToken)), access: flaw };
  }

  const byAccessToken = async (token: string): Promise<Found<Row>> => {
    const claims = await accessTokens.verify(token);
    return claims === undefined ? { refused: "invalid_access_token" } : accept(await rows.find(claims.sessionId));
  };

  /** Returns the sessions that these cookies open, access tokens first. */
  async function serving({ access, refresh }: Candidates) {
    const found: Extract<Found<Row>, { session: unknown }>[] = [];
    for (const [tokens, check] of [
      [access, byAccessToken],
      [refresh, byRefreshToken],
    ] as const)
      for (const token of tokens) {
        const result = await check(token);
        if ("session" in result) found.push(result);
      }
    return found;
  }

  /**
   * Returns the first session that several cookies of one name open (RFC 6265 §5.4 leaves their order to the browser). A sibling host can
   * have planted one: where the cookies belong to different users nobody can tell whose request it is, and none is believed.
   */
  async function firstServing(candidates: Candidates): Promise<Found<Row> | undefined> {
    if (candidates.access.length < 2 && candidates.refresh.length < 2) return undefined;
    const [first, ...others] = await serving(candidates);
    return others.every(({ session }) => session.userId === first?.session.userId) ? first : undefined;
  }

  /** Returns the claims of the access token where it was verified before. */
  function recalled({ bearer, access }: Credentials) {
    const token = bearer ?? access;
    return token === undefined ? undefined : accessTokens.recall(token);
  }

  return {
    /**
     * The access token decides; the refresh cookie is looked at only when the access token is missing or not verifiable. A token that was
     * verified before costs one promise, the row's: nearly every protected request takes this path.
     */
    authenticate(credentials: Credentials): Promise<Authentication<Row>> {
      const claims = recalled(credentials);
      return claims === undefined ? find(credentials).then(handOut) : rows.find(claims.sessionId).then(accept);
    },

    /** Finds the session that decides, as `authenticate` does, where nobody needs an access token: no hook is asked for one. */
    recognize(credentials: Credentials): Promise<Found<Row>> {
      const claims = recalled(credentials);
      return claims === undefined ? find(credentials) : rows.find(claims.sessionId).then(accept);
    },

    /** Returns every session that these credentials open, of any user, with the one that the usual check has found. */
    async allServing({ bearer, all }: Credentials, usual: Found<Row>): Promise<readonly SessionRow[]> {
      const others = bearer === undefined ? await serving(all(mostEnded)) : [];
      const found = "session" in usual ? [usual, ...others] : others;
      return [...new Map(found.map(({ session }) => [session.id, session])).values()];
    },

    /**
     * Returns the refresh token to rotate: the only one, or the first of several that serves as long as all are of one user. A token that
     * was just swapped out still serves, and lies beside its successor where the browser keeps both: it comes last.
     */
    async refreshTokenOf({ refresh, all }: Credentials): Promise<string | undefined> {
      const only = refresh();
      const candidates = only === undefined ? all(mostTried).refresh : [];
      if (candidates.length < 2) return only;
      const checked = await Promise.all(
        candidates.map(async (token) => ({ token, result: await byRefreshToken(token) })),
      );
      const good = checked.flatMap(({ token, result }) => ("session" in result ? { token, ...result } : []));
      const [first] = good.toSorted((a, b) => Number(a.refresh !== undefined) - Number(b.refresh !== undefined));
      return good.every(({ session }) => session.userId === first?.session.userId) ? first?.token : undefined;
    },
  };
}
