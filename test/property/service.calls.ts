import { byUser } from "../../src/auth/journal.ts";
import type { IssuedSession } from "../../src/auth/session/issuer.ts";
import { AppError } from "../../src/core/errors.ts";
import type { Answer } from "./history.ts";
import { sessionOf, type Cookies, type Service } from "./player.ts";
import { address, type Services, sessionOfSignIn } from "./service.inprocess.ts";

const issuedAnswer = ({ access, refresh }: IssuedSession): Answer => ({
  outcome: "accepted",
  access,
  secret: refresh,
});

async function answered(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return { outcome: "refused", reason: error.reason };
    throw error;
  }
}

/** Returns the services as a client calls them: what the routes do, without reading and writing HTTP. */
export function createService({ sessions, passwords, login }: Services): Service {
  const credentialsOf = ({ access, refresh }: Partial<Cookies>) => ({
    bearer: undefined,
    access,
    refresh: () => refresh,
    all: () => ({
      access: access === undefined ? [] : [access],
      refresh: refresh === undefined ? [] : [refresh],
    }),
  });
  const authenticate = async (cookies: Partial<Cookies>) => {
    const authenticated = await sessions.authenticate(credentialsOf(cookies));
    if ("refused" in authenticated) throw new AppError("unauthorized");
    return authenticated;
  };

  return {
    login: (name, password) =>
      answered(async () => {
        const { issued } = sessionOfSignIn(await login.login(name, password, address, false));
        return { ...issuedAnswer(issued), opened: sessionOf(issued.access) };
      }),
    hello: (access) =>
      answered(async () => {
        await authenticate({ access });
        return { outcome: "accepted" };
      }),
    fallback: (refresh) =>
      answered(async () => ({
        outcome: "accepted",
        access: (await authenticate({ refresh })).reissuedAccess,
      })),
    refresh: (refresh) => answered(async () => issuedAnswer((await sessions.rotate(refresh, address)).issued)),
    logout: (cookies) =>
      answered(async () => {
        const credentials = credentialsOf(cookies);
        const open = await sessions.allServing(credentials, await sessions.recognize(credentials));
        await sessions.end(open, address);
        if (open.length === 0) throw new AppError("unauthorized");
        return { outcome: "accepted" };
      }),
    logoutAll: (cookies) =>
      answered(async () => {
        await sessions.endAll((await authenticate(cookies)).session.userId, byUser(address));
        return { outcome: "accepted" };
      }),
    revoke: (cookies, target) =>
      answered(async () => {
        await sessions.revoke(target, (await authenticate(cookies)).session.userId, address);
        return { outcome: "accepted" };
      }),
    changePassword: (cookies, current, next) =>
      answered(async () => {
        const { session } = await authenticate(cookies);
        return issuedAnswer((await passwords.change(session, current, next, address)).issued);
      }),
    requestReset: (name) =>
      answered(async () => ({ outcome: "accepted", grant: await passwords.requestReset(name, address) })),
    confirmReset: (token, next) =>
      answered(async () => {
        await passwords.confirmReset(token, next, address);
        return { outcome: "accepted" };
      }),
  };
}
