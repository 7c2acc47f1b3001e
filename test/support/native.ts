import { auth } from "./auth.ts";
import { createClient, type Answer } from "./client.ts";

/** Tokens of a session, as an app that is no browser keeps them. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  /** Proof that the account has signed in here before. A refresh brings no new one. */
  readonly device: string | undefined;
}

export function tokensIn(answer: Answer): Tokens {
  const device = answer.at("device_token");
  return {
    access: answer.textAt("tokens.access_token"),
    refresh: answer.textAt("tokens.refresh_token"),
    device: typeof device === "string" ? device : undefined,
  };
}

export const bearer = ({ access }: Pick<Tokens, "access">) => ({ headers: { authorization: `Bearer ${access}` } });

/** An app that is no browser: its requests are independent and carry no cookies. */
export const createApp = (url: string) => ({
  register: (fields: object): Promise<Answer> =>
    createClient(url).post(auth("register"), { delivery: "body", ...fields }),
  login: (login: string, password: string, fields: object = {}): Promise<Answer> =>
    createClient(url).post(auth("login"), { delivery: "body", login, password, ...fields }),
  refresh: ({ refresh }: Pick<Tokens, "refresh">): Promise<Answer> =>
    createClient(url).post(auth("refresh"), { refresh_token: refresh }),
  get: (route: string, tokens: Tokens): Promise<Answer> => createClient(url).get(auth(route), bearer(tokens)),
  post: (route: string, tokens: Tokens, json?: unknown): Promise<Answer> =>
    createClient(url).post(auth(route), json, bearer(tokens)),
});
