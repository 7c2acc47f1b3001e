import { count, ms, percent, type Part } from "./findings.ts";
import { helloPath, migrate, register, startGatehouse } from "./gatehouse.ts";
import { interleave, medianOf, medianRatio } from "./load.ts";
import { wrk } from "./wrk.ts";

const rounds = 5;
const seconds = 3;
const paths = {
  hello: helloPath,
  verify: "/api/v1/auth/verify",
  demanding: "/api/v1/auth/verify?max_age=86400",
} as const;
const names = ["hello", "verify", "demanding"] as const;

/** Compares asking who is calling with the protected sample route. */
export const verify: Part = {
  name: "verify",
  limitSeconds: 120,
  async run({ workspace }) {
    const path = workspace.path("verify.db");
    await migrate(workspace, path);
    const server = await startGatehouse(workspace, "gatehouse-verify", path);
    const cookie = await register(server, "ada");
    const load = (name: (typeof names)[number], duration: number) =>
      wrk(workspace, server, { path: paths[name], seconds: duration, cookie });
    for (const name of names) await load(name, 2);
    const results = await interleave(rounds, names, (name) => load(name, seconds));
    const share = medianRatio(results("verify"), results("hello"), ({ perSecond }) => perSecond);
    return {
      measures: [
        {
          measure: "`GET /api/v1/auth/verify`, throughput of `GET /api/v1/hello`",
          goal: "≥ 80 %",
          measured: percent(share),
          met: share >= 0.8,
        },
      ],
      raw: names.map((name) => {
        const of = (figure: "perSecond" | "p99Ms" | "cpuMicros") => medianOf(results(name), (each) => each[figure]);
        return `${paths[name]}: ${count(of("perSecond"))}/s, p99 ${ms(of("p99Ms"))}, processor ${of("cpuMicros").toFixed(1)} µs a request`;
      }),
    };
  },
};
