import type { Credentials } from "./credentials.ts";
import type { User } from "../model.ts";
import { post } from "./requests.ts";
import type { createSession } from "./session.ts";
import type { Outgoing } from "./transport.ts";
import type { CallOptions, Result } from "../result.types.ts";

interface SendingOptions {
  readonly baseUrl: string;
  readonly credentials: Pick<Credentials, "signingIn">;
  readonly session: ReturnType<typeof createSession>;
}

export type Sending = ReturnType<typeof createSending>;

/** How calls are sent, and what the answers of some of them do to the session. */
export function createSending({ baseUrl, credentials, session }: SendingOptions) {
  const { open, known, guarded, refresh } = session;

  const postToSignIn = async <T>(
    path: string,
    fields: string | readonly string[],
    input: object,
  ): Promise<Outgoing<T>> => post(path, fields, await credentials.signingIn(input));

  /** Sends to routes that may answer with a new session. */
  async function beginning<T extends { user?: User }>(result: Result<T>): Promise<Result<T>> {
    if (result.ok && result.user !== undefined) await session.begin(result);
    return result;
  }

  /** Sends to routes that end the session, or answer that there is none. */
  async function ending(result: Result): Promise<Result> {
    if (result.ok) await session.end("signed_out");
    return result;
  }

  /** Sends to routes that sign in, where nobody is signed in before. */
  const signIn = async (path: string, input: object, call?: CallOptions): Promise<Result<{ user: User }>> =>
    beginning(await open(await postToSignIn<{ user: User }>(path, "user", input), call));

  return { baseUrl, open, known, guarded, refresh, postToSignIn, beginning, ending, signIn };
}
