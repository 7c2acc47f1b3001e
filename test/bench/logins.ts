import { count, ms, percent, times, type Part } from "./findings.ts";
import { startGatehouse } from "./gatehouse.ts";
import { openConnection, post } from "./http.connection.ts";
import { closedLoop, interleave, medianOf, medianRatio } from "./load.ts";
import { bareHashesPerSecond, betterAuthCredentials, betterAuthSignUp, startBetterAuth } from "./rivals.ts";
import type { Server } from "./workspace.ts";

const rounds = 5;
const seconds = 4;
const clients = 8;
const betterAuthUsers = 32;

/** Measures logins of many users at once: how much they take beyond the password hash, which can't be avoided. */
export const logins: Part = {
  name: "logins",
  limitSeconds: 150,
  async run({ workspace, population }) {
    const { path, size, credentials } = await population(10_000);
    const gatehouse = await startGatehouse(workspace, "gatehouse-logins", path);
    const betterAuth = await startBetterAuth(workspace);
    for (let index = 1; index <= betterAuthUsers; index += 1) await betterAuthSignUp(betterAuth, index);

    let turns = 0;
    const measure = {
      gatehouse: () => logInFor(seconds, gatehouse, "/api/v1/auth/login", () => credentials(turns++ % size)),
      betterAuth: () =>
        logInFor(seconds, betterAuth, "/api/auth/sign-in/email", () =>
          betterAuthCredentials(1 + (turns++ % betterAuthUsers)),
        ),
      hashes: async () => ({ perSecond: await bareHashesPerSecond(workspace, clients, seconds), p50Ms: Number.NaN }),
    } as const;
    await logInFor(1, gatehouse, "/api/v1/auth/login", () => credentials(turns++ % size));
    const results = await interleave(rounds, ["gatehouse", "hashes", "betterAuth"], (name) => measure[name]());

    const rate = (name: keyof typeof measure): number => medianOf(results(name), ({ perSecond }) => perSecond);
    const over = (name: keyof typeof measure): number =>
      medianRatio(results("gatehouse"), results(name), ({ perSecond }) => perSecond);
    const share = over("hashes");
    const overBetterAuth = over("betterAuth");
    const figures = (name: keyof typeof measure): string =>
      `${count(rate(name))}/s (rounds: ${results(name)
        .map(({ perSecond }) => perSecond.toFixed(1))
        .join(" ")})`;
    return {
      measures: [
        {
          measure: "logins, share of the bare Argon2id hashes that two cores make",
          goal: "≥ 90 %",
          measured: percent(share),
          met: share >= 0.9,
        },
        {
          measure: "logins, against better-auth `sign-in/email`",
          goal: "≥ 5×",
          measured: times(overBetterAuth),
          met: overBetterAuth >= 5,
        },
      ],
      raw: [
        `logins, ${clients} clients, Gatehouse: ${figures("gatehouse")}, p50 ${ms(medianOf(results("gatehouse"), ({ p50Ms }) => p50Ms))}`,
        `bare Argon2id verifications, ${clients} in flight: ${figures("hashes")}`,
        `logins, ${clients} clients, better-auth (scrypt): ${figures("betterAuth")}`,
      ],
    };
  },
};

async function logInFor(duration: number, server: Server, path: string, next: () => object) {
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(server.port)));
  const load = await closedLoop(connections, duration, async (connection) => {
    const { status } = await connection.send(post(path, next()));
    if (status !== 200) throw new Error(`a login with the right password got ${status}`);
  });
  for (const connection of connections) connection.close();
  return load;
}
