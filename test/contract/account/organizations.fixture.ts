import { auth, type Person } from "../../support/auth.ts";
import { askBrowser, becomeClient, goTo, openPlainTab, showOn } from "../../support/chromium.ts";
import type { Stage } from "../../support/stage.ts";
import { createVisitor } from "../../support/visitor.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];

/** A browser for the pages of organizations. */
export async function openOrganizations({ target }: Pick<Stage, "target">) {
  const tab = openPlainTab({ width: 1280, height: 900 });
  const visitor = await createVisitor(tab);

  /** Waits for a text, whatever marks keep the names in it apart. */
  const reads = (text: string): Promise<void> =>
    visitor.until(text, async () => (await visitor.text()).replaceAll(/[\u2066-\u2069]/g, "").includes(text));
  const settles = (): Promise<void> =>
    visitor.until(
      "all sections",
      async () => (await visitor.ask("!document.querySelector('.skeleton-line')")) === true,
    );

  return {
    tab,
    visitor,
    reads,
    pageOf: (id: string): string => `/account/organization?id=${id}`,

    /** Shows a page in the browser of that person. */
    async openAsStranger(path: string, text: string): Promise<void> {
      await goTo(tab, "about:blank");
      await askBrowser(tab, "Network.clearBrowserCookies");
      await goTo(tab, `${target.url}${path}`);
      await reads(text);
    },

    async open({ client }: Pick<Person, "client">, path: string, text: string): Promise<void> {
      await becomeClient(tab, client);
      await goTo(tab, `${target.url}${path}`);
      await reads(text);
      await settles();
    },

    /** Presses a button by what a screen reader says of it. */
    pressNamed: (name: string): Promise<void> =>
      visitor.until(name, async () => {
        const isPressed =
          await visitor.ask(`((found) => { found?.focus(); found?.click(); return found !== undefined })(
          [...document.querySelectorAll("button[aria-label]")].findLast((each) =>
            each.getAttribute("aria-label").replaceAll(/[\\u2066-\\u2069]/g, "") === ${JSON.stringify(name)}))`);
        return isPressed === true;
      }),

    /** Presses the button of the open dialog. */
    confirm: (words: string): Promise<void> =>
      visitor.until(words, async () => {
        const isPressed = await visitor.ask(`((found) => { found?.click(); return found !== undefined })(
          [...document.querySelectorAll("dialog[open] button")].find(({ textContent }) => textContent === ${JSON.stringify(words)}))`);
        return isPressed === true;
      }),

    /** Chooses an option of the list box with that name or id. */
    choose: (name: string, value: string): Promise<void> =>
      visitor.until(name, async () => {
        const isChosen = await visitor.ask(`((found) => {
          if (found === undefined) return false;
          found.focus();
          found.value = ${JSON.stringify(value)};
          found.dispatchEvent(new Event("change", { bubbles: true }));
          return true;
        })([...document.querySelectorAll("select")].find((each) =>
          [each.id, (each.ariaLabel ?? "").replaceAll(/[\\u2066-\\u2069]/g, "")].includes(${JSON.stringify(name)})))`);
        return isChosen === true;
      }),

    /** Lists the names of the buttons and list boxes in a section, or in the whole page. */
    async controls(selector = "main"): Promise<unknown> {
      return visitor.ask(
        `[...document.querySelectorAll("${selector} :is(button, select)")].map((each) =>
          (each.ariaLabel ?? each.textContent).replaceAll(/[\\u2066-\\u2069]/g, ""))`,
      );
    },

    /** Looks at the page with axe, and takes pictures of it in both languages. */
    async look(name: string, { client }: Pick<Person, "client">): Promise<void> {
      await visitor.expectNoBarriers(name);
      if (pictures !== undefined)
        for (const locale of ["de", "en"]) {
          await client.post(auth("profile"), { locale });
          await visitor.ask("(dispatchEvent(new Event('online')), 0)");
          await Bun.sleep(600);
          for (const [width, scheme] of [
            [1280, locale === "en" ? "light" : "dark"],
            [390, locale === "en" ? "dark" : "light"],
          ] as const) {
            await showOn(tab, width, scheme);
            const taken = await askBrowser(tab, "Page.captureScreenshot", { captureBeyondViewport: true });
            const data = typeof taken === "object" && taken !== null && "data" in taken ? String(taken.data) : "";
            await Bun.write(`${pictures}/${name}-${locale}-${width}.png`, Buffer.from(data, "base64"));
          }
        }
      await showOn(tab, 1280, "light");
    },

    stop(): void {
      tab.close();
      Bun.WebView.closeAll();
    },
  };
}

export type OrganizationPages = Awaited<ReturnType<typeof openOrganizations>>;
