import { expect, test } from "bun:test";
import { goTo } from "../../support/chromium.ts";
import { byKeyboard, byRules, byScreenReader, bySignIn, enlarged, reflowed } from "../../support/tries.ts";
import type { Visitor } from "../../support/visitor.ts";

/** A page as the tests name it, and how a browser gets there. */
export interface Shown {
  readonly name: string;
  readonly open: () => Promise<void>;
}

const limitMs = 240_000;

/** Opens a page and waits until it has its heading and all sections. Throws where it is another one. */
export async function openWhole(visitor: Visitor, url: string): Promise<void> {
  await goTo(visitor.tab, url);
  const whole = `document.readyState === "complete" && document.querySelector("h1") !== null && document.querySelector(".skeleton-line") === null`;
  await visitor.until("the whole page", async () => (await visitor.ask(whole)) === true);
  expect(await visitor.ask("location.pathname")).toBe(new URL(url).pathname);
}

/** Tries all pages in every way, and fails with everything that was in the way. */
export function tryPages(visitor: () => Visitor, pages: () => readonly Shown[]): void {
  async function tryAll(attempt: typeof byRules): Promise<void> {
    const found: Record<string, readonly string[]> = {};
    expect(pages().length).toBeGreaterThan(5);
    for (const { name, open } of pages()) {
      await open();
      const findings = await attempt(visitor());
      if (findings.length > 0) found[name] = findings;
    }
    expect(found).toEqual({});
  }

  test("U-50 no rule of WCAG 2.2 A and AA that a program can judge is broken", () => tryAll(byRules), limitMs);
  test("U-51 at 400 % nothing has to be scrolled sideways or is cut off", () => tryAll(reflowed), limitMs);
  test("U-52 with text of 200 % and wide spacing nothing is cut off", () => tryAll(enlarged), limitMs);
  test("U-53 U-54 the keyboard gets everywhere and out again, seen and not covered", () => tryAll(byKeyboard), limitMs);
  test("U-55 a screen reader gets a name for everything", () => tryAll(byScreenReader), limitMs);
  test("U-56 nobody has to remember, type or solve anything", () => tryAll(bySignIn), limitMs);
}
