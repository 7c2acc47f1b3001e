import { count, percent, type Findings, type Part } from "./findings.ts";
import { helloPath, migrate, register, startGatehouse } from "./gatehouse.ts";
import { interleave, medianOf, medianRatio } from "./load.ts";
import { wrk, type Throughput } from "./wrk.ts";

// Rounds are many and short: two processes of the same build differ by a few percent from one round to the next.
const rounds = 15;
const seconds = 2;
/** The path of a build without inspects, to compare with inspects switched off. */
const baseline = Bun.env["GATEHOUSE_BASELINE"];

/** Measures a protected request with inspects on, recording every one, with inspects off, and in a build without them. */
export const inspects: Part = {
  name: "inspects",
  limitSeconds: 180,
  async run({ workspace }) {
    const serve = async (name: string, env: Readonly<Record<string, string>> = {}, program?: string) => {
      const path = workspace.path(`${name}.db`);
      await migrate(workspace, path, program);
      const server = await startGatehouse(workspace, name, path, { env, ...(program !== undefined && { program }) });
      return { server, cookie: await register(server, "ada") };
    };
    const targets = {
      off: await serve("inspects-off"),
      on: await serve("inspects-on", {
        LIGHTHOUSE_INSPECT_ENABLED: "true",
        LIGHTHOUSE_SECRET: "a benchmark secret of an operator",
      }),
      none: baseline === undefined ? undefined : await serve("inspects-none", {}, baseline),
    } as const;
    const names = baseline === undefined ? (["off", "on"] as const) : (["none", "off", "on"] as const);
    const load = async (name: keyof typeof targets, duration: number): Promise<Throughput> => {
      const target = targets[name];
      if (target === undefined) throw new Error(`${name} was not started`);
      return wrk(workspace, target.server, { path: helloPath, seconds: duration, cookie: target.cookie });
    };
    for (const name of names) await load(name, 2);
    return summary(await interleave(rounds, names, (name) => load(name, seconds)));
  },
};

function summary(of: (name: "none" | "off" | "on") => readonly Throughput[]): Findings {
  const share = (a: "off" | "on", b: "none" | "off") => medianRatio(of(a), of(b), ({ perSecond }) => perSecond);
  const figures = (name: "none" | "off" | "on"): string =>
    `inspects ${name}: ${count(medianOf(of(name), ({ perSecond }) => perSecond))}/s, processor ${medianOf(of(name), ({ cpuMicros }) => cpuMicros).toFixed(2)} µs a request (rounds: ${of(
      name,
    )
      .map(({ cpuMicros }) => cpuMicros.toFixed(1))
      .join(" ")})`;
  const on = share("on", "off");
  const off = baseline === undefined ? undefined : share("off", "none");
  return {
    measures: [
      {
        measure: "`GET /api/v1/hello` with inspects on, every request recorded, of the throughput with them off",
        goal: "≥ 70 %",
        measured: percent(on),
        met: on >= 0.7,
      },
      ...(off === undefined
        ? []
        : [
            {
              measure: "the same with inspects off, of the throughput of a build without them",
              goal: "≥ 98 %",
              measured: percent(off),
              met: off >= 0.98,
            },
          ]),
    ],
    raw: [...(off === undefined ? [] : [figures("none")]), figures("off"), figures("on")],
  };
}
