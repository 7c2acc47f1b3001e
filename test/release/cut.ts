import { expect } from "bun:test";
import { deadline } from "./deadline.ts";
import type { Host } from "./host.ts";
import type { Machine, Outcome } from "./machine.ts";

const stepLimitMs = 60_000;

/**
 * Simulates power cuts on a host that lives on: every process of Gatehouse is killed at one moment, and systemd starts the services again.
 */
export function createCuts(host: Host, machine: Machine) {
  const lies = (): Promise<string> =>
    machine.ok("ls -A /opt/gatehouse /opt/gatehouse/releases | grep -E 'new$|staging|unfinished' || true");

  return {
    /** Begins a release, and cuts the power when it has printed `said`. */
    async cutWhen(build: string, said: string): Promise<void> {
      await machine.ok(`${build}/gatehouse release:activate --settle 0 > cut 2>&1 & echo $! > pid`);
      await deadline(stepLimitMs, `the release did not say: ${said}`, async () =>
        (await machine.ok("cat cut")).includes(said) ? true : undefined,
      );
      await machine.ok("kill -KILL $(cat pid); systemctl kill --signal=KILL 'gatehouse-*.service'");
      // A process that was killed holds its lock until the kernel has cleared it away.
      await machine.ok(`timeout ${stepLimitMs / 1_000} tail --pid=$(cat pid) -s 0.05 -f /dev/null`);
    },

    /** Releases the same build again, with its output in a pipe that somebody closes. The release must succeed. */
    async again(build: string): Promise<void> {
      const line = `{ ${build}/gatehouse release:activate --settle 0; echo $? > code; } 2>&1 | head -n 1`;
      const { output } = await host.release(line);
      expect(output).toContain("is staged");
      const said = await machine.ok("journalctl -q --no-pager -o cat -t gatehouse-release -n 20");
      expect({ code: await machine.ok("cat code"), said }).toEqual({
        code: "0",
        said: expect.stringMatching(/is current, 4 services run it$/),
      });
      expect(await host.current()).toEndWith(`-${build}`);
      expect(await lies()).toBe("");
    },

    async back(build: string): Promise<Outcome> {
      expect(await lies()).toBe("unfinished.json");
      const list = await machine.ok("gatehouse release:list");
      expect(list).toMatch(/-crashing +current, cut off/);
      const outcome = await host.release("gatehouse release:rollback --settle 0");
      expect(await host.current()).toEndWith(`-${build}`);
      expect(await lies()).toBe("");
      return outcome;
    },
  };
}
