import { expect } from "bun:test";
import type { Host } from "./host.ts";
import type { Machine, Outcome } from "./machine.ts";
import { rate, startTraffic, type Traffic } from "./traffic.ts";

/** The number of rounds: even, so that the last build is that of the host's first release. */
const rounds = Number(process.env["GATEHOUSE_RELEASES"] ?? 2);
/** The least rate that proves anything. A machine that shares its processor may not reach the full rate; the actual one is printed. */
const leastPerSecond = rate * 0.4;
const shortSeconds = 10;

/** Steps and expectations that the tests of a release share. */
export function createTrial(host: Host, machine: Machine) {
  let traffic: Traffic | undefined;

  return {
    kill: () => traffic?.kill(),

    /** Acts while browsers are served on that port: none of their requests may fail, and nothing acknowledged may be lost. */
    async withTraffic(port: number, act: () => Promise<void>): Promise<void> {
      traffic = startTraffic(port, { machine });
      try {
        await traffic.begun();
        await act();
        const { failed, failures, perSecond, seconds, slowestMs, registered, sent } = await traffic.stop();
        console.log(
          `      ${Math.round(perSecond)} requests/s for ${Math.round(seconds)} s, ${failed} failed, ` +
            `slowest ${Math.round(slowestMs)} ms, ${JSON.stringify(sent)}`,
        );
        expect({ failed, failures }).toEqual({ failed: 0, failures: {} });
        if (seconds > shortSeconds) expect(perSecond).toBeGreaterThan(leastPerSecond);
        expect(registered).toBeGreaterThan(0);
      } finally {
        traffic.kill();
      }
    },

    done: ({ code, output }: Outcome): void => expect({ code, output }).toEqual({ code: 0, output }),

    async releases(options: string): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        const build = round % 2 === 0 ? "grace" : "ada";
        const { code, output } = await host.release(`${build}/gatehouse release:activate ${options}`);
        expect({ code, output }).toEqual({ code: 0, output });
        expect(await host.current()).toEndWith(`-${build}`);
      }
      const kept = (await machine.ok("ls /opt/gatehouse/releases")).split("\n");
      expect(kept.map((name) => name.split("-").at(-1))).toEqual(["ada", "grace"]);
    },

    /** Expects a refusal before anything is touched: the same processes run the same release, and the message says what to do. */
    async expectRefusal(line: string, reason: RegExp): Promise<void> {
      const before = { pids: await host.pids(), current: await host.current() };
      const { code, output } = await host.release(line);
      expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(reason) });
      expect(output).toMatch(/nothing was restarted: release \S+ goes on serving/);
      expect(output).toMatch(/what to do: \S+/);
      expect({ pids: await host.pids(), current: await host.current() }).toEqual(before);
      expect(await machine.ok("ls -A /opt/gatehouse/releases | grep staging || true")).toBe("");
    },

    /** Expects a build to fail on the way: at most one of the instances is lost, and everything is restored. */
    async expectPutBack(line: string, reason: RegExp): Promise<void> {
      const before = { pids: await host.pids(), current: await host.current() };
      const { code, output } = await host.release(line);
      expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(reason) });
      expect(output).toMatch(/what to do: \S+/);
      expect(await host.current()).toBe(before.current);
      const after = await host.pids();
      expect([...after.keys()]).toEqual([...before.pids.keys()]);
      const replaced = [...after].filter(([unit, pid]) => unit.includes("-api@") && before.pids.get(unit) !== pid);
      expect(replaced).toHaveLength(1);
      const programs = await machine.ok(
        `readlink ${[...after.values()].map((pid) => `/proc/${pid}/exe`).join(" ")} | sort -u`,
      );
      expect(programs).toBe(`/opt/gatehouse/releases/${before.current}/gatehouse`);
    },
  };
}
