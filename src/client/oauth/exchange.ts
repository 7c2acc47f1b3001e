import type { ProgramFailure, ProgramOptions, ProgramResult, ProgramTokens } from "../oauth.types.ts";
import { within } from "../transport/deadline.ts";

export const failure = (code: string, error: string): ProgramFailure => ({ ok: false, code, error });

export type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
};

export type Exchange = ReturnType<typeof createExchange>;

interface ExchangeOptions extends Pick<ProgramOptions, "clientId"> {
  readonly issuer: string;
  readonly scope: string;
  readonly timeoutMs: number;
  readonly send: typeof fetch;
}

/** Asks the service for tokens and about people, by OAuth 2.1. */
export function createExchange({ issuer, clientId, scope, timeoutMs, send }: ExchangeOptions) {
  async function call(path: string, init: RequestInit): Promise<ProgramResult<{ body: Fields }>> {
    try {
      return await within({ timeoutMs }, async ({ signal }) => {
        const response = await send(`${issuer}${path}`, { ...init, signal, credentials: "omit" });
        const text = await response.text();
        const parsed: unknown = text === "" ? {} : JSON.parse(text);
        const body = isFields(parsed) ? parsed : {};
        if (response.ok) return { ok: true as const, body };
        const code = textIn(body, "error") ?? "invalid_response";
        return failure(code, textIn(body, "error_description") ?? `the service answered ${response.status}`);
      });
    } catch {
      return failure("network", "the service could not be reached, or its answer could not be read");
    }
  }

  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    call(path, {
      method: "POST",
      // Not every runtime tells the type of such a body by itself.
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, client_id: clientId }).toString(),
    });

  async function tokensBy(fields: Readonly<Record<string, string>>): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const answered = await post("/oauth2/token", fields);
    if (!answered.ok) return answered;
    const { body } = answered;
    const accessToken = textIn(body, "access_token");
    const seconds = body["expires_in"];
    if (accessToken === undefined || typeof seconds !== "number")
      return failure("invalid_response", "the service answered without a token");
    const [refreshToken, idToken] = [textIn(body, "refresh_token"), textIn(body, "id_token")];
    const tokens = {
      accessToken,
      expiresAt: Date.now() + seconds * 1_000,
      scope: textIn(body, "scope") ?? scope,
      ...(refreshToken !== undefined && { refreshToken }),
      ...(idToken !== undefined && { idToken }),
    };
    return { ok: true, tokens };
  }

  return { call, post, tokensBy };
}
