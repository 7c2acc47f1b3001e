import { source } from "axe-core";
import { askBrowser, showOn } from "./chromium.ts";
import type { Visitor } from "./visitor.ts";

// What people with disabilities do with a page, tried in a real browser. Each try returns what was in the way, and nothing where nothing was.

type Findings = readonly string[];

const list = (value: unknown): Findings => (Array.isArray(value) ? value.map(String) : [String(value)]);

/** Names an element in a finding, in the page. */
const named = `const named = (element) => element.outerHTML.replace(/\\s+/g, " ").slice(0, 120);`;

/** Everything that the keyboard can reach, in the page. A group of radio buttons is one stop. */
const stops = `const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0 && element.type !== "hidden" && !element.closest("[inert]"))
  .filter((element) => element.type !== "radio" || element.checked || document.querySelector(\`input[name="\${element.name}"]:checked\`) === null);`;

/** Text that is cut off: it is wider or higher than a box that hides what sticks out. What is only for screen readers is meant to. */
const cutOff = `[...document.querySelectorAll("body *")].filter((element) => {
  const style = getComputedStyle(element);
  const isCut = (style.overflowX !== "visible" && style.overflowX !== "auto" && style.overflowX !== "scroll" && element.scrollWidth > element.clientWidth + 1) ||
    (style.overflowY === "hidden" && element.scrollHeight > element.clientHeight + 1);
  return isCut && element.clientWidth > 1 && element.textContent.trim() !== "" && element.checkVisibility() && style.textOverflow !== "ellipsis";
}).map(named)`;

/** By axe's rules for WCAG 2.2 A and AA, those about the size of targets included, which it leaves out by default. */
export async function byRules({ ask }: Visitor): Promise<Findings> {
  if ((await ask("typeof axe")) === "undefined") await ask(`(() => { ${source} })()`);
  const options = {
    resultTypes: ["violations"],
    preload: false,
    runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
    rules: { "target-size": { enabled: true } },
  };
  return list(
    await ask(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
    ),
  );
}

/** At 400 %: what is 1280 pixels wide has 320 then, and nothing but a table may be wider. */
export async function reflowed(visitor: Visitor): Promise<Findings> {
  await showOn(visitor.tab, 320, "light");
  const found = list(
    await visitor.ask(`(() => { ${named}
      const excess = document.documentElement.scrollWidth - 320;
      return [...(excess > 0 ? [\`\${excess} px wider than 320\`] : []), ...${cutOff}];
    })()`),
  );
  await showOn(visitor.tab, 1280, "light");
  return found;
}

/** With text of twice the size, and with the distances that readers may set; nothing is cut off or runs out of the page. */
export async function enlarged({ ask }: Visitor): Promise<Findings> {
  return list(
    await ask(`(() => { ${named}
      const root = document.documentElement;
      const findings = [];
      const look = (what) => {
        if (root.scrollWidth > root.clientWidth) findings.push(\`\${what}: \${root.scrollWidth - root.clientWidth} px too wide\`);
        findings.push(...${cutOff}.map((each) => \`\${what}: \${each}\`));
      };
      root.style.fontSize = "200%";
      look("text at 200 %");
      root.style.fontSize = "";
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      look("wide spacing");
      document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
      return findings;
    })()`),
  );
}

/** A field for a time is several stops of its own, the last of which is a button with a ring of its own. */
const timeField = /^(?:date|datetime-local|time)$/;
type Stop = readonly [index: number, type: string, hasRing: boolean, isInFront: boolean, name: string];
const isStop = (value: unknown): value is Stop => Array.isArray(value) && value.length === 5;

/** By the tab key alone: every control is reached once, in the order of the page, with a ring around it and nothing in front of it, and the way leads out and in again. */
export async function byKeyboard({ ask, tab }: Visitor): Promise<Findings> {
  const count = Number(
    await ask(`(() => { ${stops} globalThis.stops = stops; stops[0].focus(); return stops.length; })()`),
  );
  const findings: string[] = [];
  /** Returns what has the focus after another press; its index is -1 where that is nothing of the page. */
  async function next(): Promise<Stop> {
    await tab.press("Tab");
    const stop = await ask(`(async () => { ${named}
      const indexOf = () => globalThis.stops.indexOf(document.activeElement);
      const hasRing = () => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return parseFloat(outlineWidth) >= 2 && outlineStyle !== "none";
      };
      // On its way in from its own controls the browser gives the focus, and draws the ring, a moment later.
      for (let frame = 0; frame < 30 && (indexOf() < 0 || !hasRing()); frame += 1) await new Promise(requestAnimationFrame);
      const element = document.activeElement;
      const box = element.getBoundingClientRect();
      const front = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const isInFront = front !== null && (element.contains(front) || front.contains(element) || front.closest("label")?.control === element);
      return [indexOf(), element.type ?? "", hasRing(), isInFront, named(element)];
    })()`);
    if (!isStop(stop)) throw new Error("the browser says nothing of its focus");
    return stop;
  }
  // After the last control the way leads out, to the browser's own where it shows any, and in again.
  for (const expected of [...Array.from({ length: count - 1 }, (_, index) => index + 1), 0]) {
    let [index, type, hasRing, isInFront, name] = await next();
    if (expected === 0 && index === -1) [index, type, hasRing, isInFront, name] = await next();
    for (let part = 0; index === expected - 1 && timeField.test(type) && part < 8; part += 1)
      [index, type, hasRing, isInFront, name] = await next();
    if (index !== expected) return [...findings, `the stop ${expected + 1} of ${count} is ${index + 1}: ${name}`];
    if (!hasRing) findings.push(`no ring of two pixels: ${name}`);
    if (!isInFront) findings.push(`in focus, and covered: ${name}`);
  }
  return findings;
}

interface Node {
  readonly ignored?: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}
const isTree = (value: unknown): value is { readonly nodes: readonly Node[] } =>
  typeof value === "object" && value !== null && "nodes" in value && Array.isArray(value.nodes);

/** What has to have a name. The browser lets other things be focused as well, such as a list that scrolls. */
const controls: ReadonlySet<string> = new Set(
  "button link textbox searchbox checkbox radio combobox listbox option switch slider spinbutton DisclosureTriangle DateTime region group dialog".split(
    " ",
  ),
);

/** In the tree that screen readers get: every control has a role and a name, there is one main part and one first heading, and page and language are named. */
export async function byScreenReader({ ask, tab }: Visitor): Promise<Findings> {
  await askBrowser(tab, "Accessibility.enable");
  const tree = await askBrowser(tab, "Accessibility.getFullAXTree");
  if (!isTree(tree)) throw new Error("the browser has no tree");
  const nodes = tree.nodes.filter(({ ignored }) => ignored !== true);
  const of = (node: Node, name: string): unknown => node.properties?.find((each) => each.name === name)?.value.value;
  const count = (role: string): number => nodes.filter((node) => node.role?.value === role).length;
  const firsts = nodes.filter((node) => node.role?.value === "heading" && of(node, "level") === 1).length;
  const nameless = nodes
    .filter((node) => of(node, "focusable") === true && controls.has(node.role?.value ?? ""))
    .filter((node) => (node.name?.value ?? "").trim() === "");
  return [
    ...nameless.map((node) => `a ${node.role?.value} without a name`),
    ...(count("main") === 1 ? [] : [`${count("main")} main parts`]),
    ...(firsts === 1 ? [] : [`${firsts} first headings`]),
    ...((await ask("document.title.trim() !== ''")) === true ? [] : ["no title"]),
    ...((await ask("/^[a-z]{2}/.test(document.documentElement.lang)")) === true ? [] : ["no language"]),
  ];
}

/** The purposes that password managers and browsers know, of fields that are about the person. */
const purposes: Readonly<Record<string, RegExp>> = {
  login: /username|email/,
  email: /email|username/,
  password: /(?:current|new)-password/,
  current_password: /current-password/,
  new_password: /new-password/,
  code: /one-time-code/,
};

/** For those who sign in without remembering or solving anything: fields are named for password managers, take a paste, and there is no puzzle. */
export async function bySignIn({ ask }: Visitor): Promise<Findings> {
  return list(
    await ask(`(() => { ${named}
      const purposes = ${JSON.stringify(Object.fromEntries(Object.entries(purposes).map(([name, form]) => [name, form.source])))};
      const findings = [];
      for (const field of document.querySelectorAll("input, textarea")) {
        // An address in a form without a password may be somebody else's.
        const isOwn = field.name !== "email" || field.form?.querySelector("[type='password']") !== null;
        const purpose = isOwn ? purposes[field.name] : undefined;
        if (purpose !== undefined && field.type !== "hidden" && !new RegExp(purpose).test(field.autocomplete)) findings.push(\`for no password manager: \${named(field)}\`);
        const paste = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
        if (!field.dispatchEvent(paste)) findings.push(\`takes no paste: \${named(field)}\`);
      }
      for (const puzzle of document.querySelectorAll("canvas, iframe, audio, video")) findings.push(\`may be a puzzle: \${named(puzzle)}\`);
      return findings;
    })()`),
  );
}
