import { Type } from "@sinclair/typebox";
import { minute, second, type Clock } from "../../core/clock.ts";
import { AttemptFailed, checkedHandler, type JobHandler } from "../../core/job.ts";
import type { Client } from "../client/client.ts";
import type { Keys } from "../keys/keys.ts";

/** Calls a program of somebody else, by the guarded way out: it follows no redirect, and has ten seconds. */
export type Post = (
  origin: string,
  call: {
    readonly method: "POST";
    readonly url: string;
    readonly allowPrivate: boolean;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly mostAnswerBytes: number;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<unknown>;

interface LogoutJobOptions {
  readonly find: (id: string) => Promise<Client | undefined>;
  readonly keys: Pick<Keys, "signAs">;
  readonly issuer: string;
  readonly post: Post;
  readonly onLogout: (outcome: "told" | "failed") => void;
  readonly clock: Clock;
}

const Payload = Type.Object({
  session_id: Type.String({ maxLength: 64 }),
  user_id: Type.String({ maxLength: 64 }),
  client_id: Type.String({ maxLength: 64 }),
});

/** The database itself writes these jobs, in the commit that ends a session: see the migration of the provider. */
export const logoutJobName = "idp:logout";

const tokenTtlMs = 2 * minute;
/** How many of the places of the queue one client may take. */
const mostToOne = 3;
const event = "http://schemas.openid.net/event/backchannel-logout";
const isWorthAnother = (error: unknown): boolean =>
  !(typeof error === "object" && error !== null && "outcome" in error && error.outcome === "gone");

/** Tells a client that a session of it has ended (OpenID Connect Back-Channel Logout 1.0). */
export function createLogoutJob({ find, keys, issuer, post, onLogout, clock }: LogoutJobOptions): JobHandler {
  /** How many messages to a client are under way. */
  const running = new Map<string, number>();

  /** Sends a message while few others to the same client are under way: one that does not answer must not hold up the others. */
  async function inTurn(id: string, send: () => Promise<unknown>): Promise<void> {
    const others = running.get(id) ?? 0;
    if (others >= mostToOne) throw new AttemptFailed("other messages to this client are under way", { retry: second });
    running.set(id, others + 1);
    try {
      await send();
    } finally {
      const left = (running.get(id) ?? 1) - 1;
      if (left === 0) running.delete(id);
      else running.set(id, left);
    }
  }

  return checkedHandler(Payload, async ({ session_id: sid, user_id: sub, client_id: id }, { signal }) => {
    const client = await find(id);
    const uri = client?.settings.backchannel_logout_uri ?? null;
    // The client has gone meanwhile, or wants to hear nothing any more.
    if (client === undefined || uri === null) return;
    const now = Math.floor(clock.now() / 1000);
    const token = await keys.signAs(client.settings.id_token_signed_response_alg, "logout+jwt", {
      iss: issuer,
      aud: client.id,
      sub,
      sid,
      // A repeated attempt is the same event to its receiver.
      jti: sid,
      iat: now,
      exp: now + tokenTtlMs / 1000,
      events: { [event]: {} },
    });
    try {
      await inTurn(id, () =>
        post(new URL(uri).origin, {
          method: "POST",
          url: uri,
          allowPrivate: true,
          headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "gatehouse" },
          body: new URLSearchParams({ logout_token: token }).toString(),
          mostAnswerBytes: 0,
          signal,
        }),
      );
      onLogout("told");
    } catch (error) {
      if (error instanceof AttemptFailed) throw error;
      onLogout("failed");
      const reason = error instanceof Error ? error.message : "unknown error";
      const retry = isWorthAnother(error) ? 0 : "never";
      throw new AttemptFailed(`client ${client.name}: ${reason}`, { retry, cause: error });
    }
  });
}
