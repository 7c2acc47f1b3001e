import { percent, times, type Findings, type Part } from "./findings.ts";
import { helloPath, register, startGatehouse, visitWithEach } from "./gatehouse.ts";
import { interleave, medianRatio } from "./load.ts";
import { scattered } from "./population.ts";
import { betterAuthSignUp, startBetterAuth, startElysia } from "./rivals.ts";
import { throughputLine, wrk, type Throughput } from "./wrk.ts";

const rounds = 5;
const seconds = 3;

/** Measures a protected request against a route that protects nothing, and against another library's session read. */
export const hello: Part = {
  name: "hello",
  limitSeconds: 200,
  async run({ workspace, population }) {
    const people = await population(1_000_000);
    const { size, accessCookie } = people;
    const gatehouse = await startGatehouse(workspace, "gatehouse-hello", people.path);
    const elysia = await startElysia(workspace, "Hello, Ada!");
    const betterAuth = await startBetterAuth(workspace);
    const cookie = await register(gatehouse, "ada");
    const targets = {
      gatehouse: { server: gatehouse, path: helloPath, cookie },
      elysia: { server: elysia, path: helloPath, cookie },
      betterAuth: { server: betterAuth, path: "/api/auth/get-session", cookie: await betterAuthSignUp(betterAuth, 0) },
    } as const;
    const load = (name: keyof typeof targets, duration: number, cookiesFile?: string): Promise<Throughput> => {
      const { server, path, cookie } = targets[name];
      const credentials = cookiesFile === undefined ? { cookie } : { cookiesFile };
      return wrk(workspace, server, { path, seconds: duration, ...credentials });
    };

    const all = ["gatehouse", "elysia", "betterAuth"] as const;
    for (const name of all) await load(name, 2);
    const oneSession = await interleave(rounds, all, (name) => load(name, seconds));

    const cookiesFile = workspace.path("cookies");
    const cookies = await Promise.all(scattered(10_000, size).map(accessCookie));
    await Bun.write(cookiesFile, cookies.join("\n"));
    await visitWithEach(gatehouse, helloPath, cookies);
    const manySessions = await interleave(3, ["gatehouse", "elysia"], (name) => load(name, seconds, cookiesFile));
    return summary(oneSession, manySessions);
  },
};

type By<Name extends string> = (name: Name) => readonly Throughput[];

function summary(one: By<"gatehouse" | "elysia" | "betterAuth">, many: By<"gatehouse" | "elysia">): Findings {
  const share = medianRatio(one("gatehouse"), one("elysia"), ({ perSecond }) => perSecond);
  const p99Ratio = medianRatio(one("gatehouse"), one("elysia"), ({ p99Ms }) => p99Ms);
  const overBetterAuth = medianRatio(one("gatehouse"), one("betterAuth"), ({ perSecond }) => perSecond);
  const shareOfMany = medianRatio(many("gatehouse"), many("elysia"), ({ perSecond }) => perSecond);
  return {
    measures: [
      {
        measure: "`GET /api/v1/hello`, 1,000,000 sessions, throughput of a bare Elysia route",
        goal: "≥ 60 %",
        measured: percent(share),
        met: share >= 0.6,
      },
      { measure: "the same, p99", goal: "≤ 2×", measured: times(p99Ratio), met: p99Ratio <= 2 },
      {
        measure: "the same, against better-auth `get-session`",
        goal: "≥ 25×",
        measured: times(overBetterAuth),
        met: overBetterAuth >= 25,
      },
    ],
    raw: [
      throughputLine("hello, one session, Gatehouse", one("gatehouse")),
      throughputLine("hello, one session, bare Elysia", one("elysia")),
      throughputLine("hello, one session, better-auth", one("betterAuth")),
      throughputLine("hello, 10,000 scattered sessions in turn, Gatehouse", many("gatehouse")),
      throughputLine("hello, 10,000 scattered sessions in turn, bare Elysia", many("elysia")),
      `hello, 10,000 scattered sessions in turn, share of bare Elysia: ${percent(shareOfMany)}`,
    ],
  };
}
