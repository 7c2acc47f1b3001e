import { describe, expect, test } from "bun:test";
import { eventually } from "../../support/log.ts";
import { controlOf } from "../../support/maintenance.ts";
import { hostileAnswers, type Hostility } from "./hostile.gatehouse.ts";
import { isUncached, refusalOf, unavailable, type Suite } from "./suite.ts";

/** What an app answers while Gatehouse is away, or is something else. */
export function outageCases(suite: Suite): void {
  const { target, people, doorway, closed, browserOf, complaints } = suite;

  describe("when Gatehouse is not there", () => {
    const names = Object.keys(hostileAnswers).filter((name): name is Hostility => name in hostileAnswers);
    test.each(names)("Q-04 Q-06 what stands there %s: 503 in time, and nobody is let in", async (name) => {
      const ada = await people.register("ada");
      const browser = browserOf(ada, closed());
      expect((await browser.get("/whoami")).status).toBe(200);
      doorway().become(name);
      const begun = performance.now();
      const answers = await Promise.all(Array.from({ length: 40 }, () => browser.get("/whoami")));
      expect(performance.now() - begun).toBeLessThan(4_000);
      const asked = doorway()
        .heads()
        .filter((head) => !/^GET \/api\/v1\/auth\/verify[ ?]/.test(head));
      doorway().become("Gatehouse");
      expect(answers.map(refusalOf)).toEqual(answers.map(() => unavailable));
      expect(answers.every(({ headers }) => /^[1-9]\d*$/.test(headers.get("retry-after") ?? ""))).toBe(true);
      expect({ asked, uncached: answers.every(isUncached) }).toEqual({ asked: [], uncached: true });
      expect((await browser.get("/whoami")).status).toBe(200);
    });

    test("Q-04 who runs the app is told why nobody is let in, and not for every request", async () => {
      await eventually("the warning", () => complaints().includes("does not say who is calling"));
      const told = [...complaints().matchAll(/gatehouse: (\S+) does not say who is calling[^\n]*503\): \S/g)];
      expect(new Set(told.map(([, address]) => address))).toEqual(new Set([doorway().url]));
      // Each of the names before has refused forty requests.
      expect(told.length).toBeLessThan(names.length * 5);
      expect(complaints()).not.toMatch(/auth_(?:access|refresh)=/);
    });

    test("Q-04 maintenance is told as it is, with the time to come back", async () => {
      const ada = await people.register("ada");
      const control = controlOf(target);
      await control.enable();
      const answer = await browserOf(ada).get("/whoami");
      await control.disable();
      expect(refusalOf(answer)).toEqual({ ...unavailable, code: "maintenance" });
      expect([answer.headers.get("retry-after"), isUncached(answer)]).toEqual(["90", true]);
      expect((await browserOf(ada).get("/whoami")).status).toBe(200);
    });

    test("Q-04 a crowd that waits for it is answered in time, and the app serves again afterwards", async () => {
      const ada = await people.register("ada");
      doorway().become("hangs");
      const begun = performance.now();
      const crowd = Array.from({ length: 200 }, async () => (await browserOf(ada, closed()).get("/whoami")).status);
      const statuses = new Set(await Promise.all(crowd));
      doorway().become("Gatehouse");
      expect({ statuses: [...statuses], inTime: performance.now() - begun < 10_000 }).toEqual({
        statuses: [503],
        inTime: true,
      });
      expect((await browserOf(ada, closed()).get("/whoami")).status).toBe(200);
    });
  });
}
