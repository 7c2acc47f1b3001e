import { Type, type Static } from "@sinclair/typebox";
import { minute, type Clock } from "../../core/clock.ts";
import { base64urlHash, randomToken, secretsEqual, tokenHash } from "../../core/crypto.ts";
import type { ProgramFlaw } from "../../core/people/program.flaws.ts";
import { jsonAs } from "../../core/text/json.ts";
import type { Client as Requester, Delegations } from "../../auth/index.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Client } from "../client/client.ts";
import { invalidGrant, type OAuthError } from "../protocol/errors.ts";
import { writeDelegation, type Delegation } from "../token/delegation.ts";
import { parentFacts, ParentFacts } from "../token/parent.ts";
import type { CodeRepository, CodeRow } from "./code.repository.ts";

/** What a code stands for, besides the columns of its row. */
const Granted = Type.Object({
  redirectUri: Type.String(),
  challenge: Type.Optional(Type.String()),
  nonce: Type.Optional(Type.String()),
  delegation: Type.Unsafe<Delegation>(Type.Object({}, { additionalProperties: true })),
  isStanding: Type.Boolean(),
  parent: ParentFacts,
});
type Granted = Static<typeof Granted>;
type Parent = Parameters<Delegations["open"]>[0]["parent"];

interface CodeOptions {
  readonly database: Database;
  readonly rows: CodeRepository;
  readonly delegations: Delegations;
  readonly clock: Clock;
}

/** What a client shows to have a code swapped. */
interface Shown {
  readonly code: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
  /** The thumbprint of the key by which the request was proven, if any. */
  readonly jkt: string | undefined;
}

const codeTtlMs = minute;

/** The S256 transformation of a verifier (RFC 7636 §4.2). */
const challengeOf = base64urlHash;

/** Says why a code is not for this client and this request; undefined where it is. */
function mismatchOf(
  row: CodeRow,
  granted: Granted,
  client: Client,
  { redirectUri, verifier, jkt }: Shown,
): ProgramFlaw | undefined {
  if (row.clientId !== client.id) return "other_client";
  // Where a verifier shows who asked, the address may be left out, as OAuth 2.1 has it. One that is sent has to be the right one.
  if (redirectUri !== granted.redirectUri && (redirectUri !== undefined || granted.challenge === undefined))
    return "other_redirect_uri";
  if (granted.challenge === undefined) {
    // A verifier without a challenge shows that the challenge was taken out of the request (RFC 9700 §4.8.2).
    if (verifier !== undefined) return "pkce_downgrade";
  } else if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return "pkce_missing";
  else if (!secretsEqual(challengeOf(verifier), granted.challenge)) return "pkce_mismatch";
  const bound = granted.delegation.jkt;
  return bound !== undefined && bound !== jkt ? "other_key" : undefined;
}

/** Codes that clients swap for a session: 60 seconds, once, for the client, the address and the verifier that they were made for. */
export function createCodes({ database, rows, delegations, clock }: CodeOptions) {
  const refused = (why: ProgramFlaw): OAuthError => invalidGrant("The code is not good.", why);

  return {
    /** Makes a code below the session of a browser. Returns it with the statement that stores its hash. */
    make(client: Client, parent: Parent, granted: Omit<Granted, "parent">) {
      const code = randomToken();
      const now = clock.now();
      const { id, userId } = parent;
      const request = JSON.stringify({ ...granted, parent: parentFacts(parent) } satisfies Granted);
      const statement = rows.insert({
        codeHash: tokenHash(code),
        clientId: client.id,
        userId,
        parentId: id,
        request,
        createdAt: now,
        expiresAt: now + codeTtlMs,
      });
      return { code, statement };
    },

    /**
     * Swaps a code for a session of the client. Throws `invalid_grant`. A code that is shown a second time ends what came of it, because two
     * have it (RFC 6749 §4.1.2); one that is shown with something wrong is spoilt.
     */
    async redeem(shown: Shown, client: Client, requester: Requester, onReuse: (sessionId: string) => Promise<void>) {
      const hash = tokenHash(shown.code);
      const row = await rows.find(hash);
      if (row === undefined) throw refused("unknown_code");
      if (row.clientId === client.id && row.usedAt !== null) {
        if (row.sessionId !== null) await onReuse(row.sessionId);
        throw refused("code_reused");
      }
      if (row.expiresAt <= clock.now()) throw refused("code_expired");
      const granted = jsonAs(Granted, row.request);
      if (granted === undefined) throw new Error("what a code stands for is not readable");
      const mismatch = mismatchOf(row, granted, client, shown);
      if (mismatch !== undefined) {
        // A stranger who knows a code must not be able to take it away from its client, which has proven who it is.
        const { sql, params } = rows.spoil(hash, clock.now());
        if (mismatch !== "other_client") await database.run(sql, params);
        throw refused(mismatch);
      }
      const jkt = granted.delegation.jkt ?? shown.jkt;
      const opened = delegations.open({
        parent: { id: row.parentId, userId: row.userId, ...granted.parent },
        clientId: client.id,
        isStanding: granted.isStanding,
        delegation: writeDelegation({ ...granted.delegation, ...(jkt !== undefined && { jkt }) }),
        client: requester,
      });
      return {
        ...opened,
        userId: row.userId,
        statements: [...opened.statements, rows.redeem(hash, opened.id, clock.now())],
        nonce: granted.nonce,
        /** Ends what came of the code where another call was first, and says why the batch was undone. */
        async lost(): Promise<OAuthError> {
          const used = await rows.find(hash);
          if (used?.sessionId === undefined || used.sessionId === null) return refused("session_ended");
          await onReuse(used.sessionId);
          return refused("code_reused");
        },
      };
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
