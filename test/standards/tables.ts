import { authentication } from "./asvs.authentication.ts";
import { oauth } from "./asvs.oauth.ts";
import { sessions, tokens } from "./asvs.sessions.ts";
import { flow, general, tokens as fapiTokens } from "./fapi.ts";
import { authenticators, events, levels, sessionRules } from "./nist.ts";
import type { Chapter, Requirement } from "./requirement.ts";
import { operable, perceivable, robust, understandable } from "./wcag.ts";

/** How many tests of each promise have passed. */
type Passed = ReadonlyMap<string, number>;

interface Standard {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly chapters: readonly Chapter[];
}

const made =
  "This page is made by `bun test/standards/write.ts` from the results of a run, and a test compares it. *Tests* has ids of [SECURITY.md](../../../SECURITY.md), and in brackets how many tests of each passed in that run; `bun test -t P-01` runs those of one. Each check of a change fails where an id has no test that passed.";

export const standards: readonly Standard[] = [
  {
    path: "src/docs/reference/nist.md",
    title: "NIST SP 800-63B-4",
    lead: "What *Digital Identity Guidelines: Authentication and Authenticator Management* (2025) asks of a verifier, in words of our own, and how Gatehouse meets it. What concerns organizations, people and devices alone is left out. Where it says *the operator's*, a setting decides, or what you do.",
    chapters: [
      ["Assurance levels", levels],
      ["Authenticators", authenticators],
      ["Events of authenticators", events],
      ["Sessions", sessionRules],
    ],
  },
  {
    path: "src/docs/reference/asvs.md",
    title: "OWASP ASVS 5.0",
    lead: "Chapters 6, 7, 9 and 10 of the *Application Security Verification Standard 5.0.0*, all three levels, in words of our own, and how Gatehouse meets them. `in part` says what is missing, or which setting it takes.",
    chapters: [
      ["Authentication", authentication],
      ["Session management", sessions],
      ["Self-contained tokens", tokens],
      ["OAuth and OpenID Connect", oauth],
    ],
  },
  {
    path: "src/docs/reference/fapi.md",
    title: "FAPI 2.0 Security Profile",
    lead: "What the *FAPI 2.0 Security Profile* (final, 2025) asks of an authorization server, in words of our own, and how Gatehouse meets it for programs that are registered with `--fapi`. [The chapter](../apps/fapi.md) says how to make one, and what the conformance suite of the OpenID Foundation found.",
    chapters: [
      ["General", general],
      ["The code flow", flow],
      ["Tokens, keys and algorithms", fapiTokens],
    ],
  },
  {
    path: "src/docs/reference/wcag.md",
    title: "WCAG 2.2",
    lead: "The criteria of the *Web Content Accessibility Guidelines 2.2*, levels A and AA, in words of our own, and what was tried of each in a real browser, Chromium: all account pages, those that the server writes in their place, and the pages for staff. `not tried` says that no program can judge it and nobody has; `in part` says what was left out. No person with a screen reader has tried the pages for this report: it is what a run shows, and no certificate.",
    chapters: [
      ["Perceivable", perceivable],
      ["Operable", operable],
      ["Understandable", understandable],
      ["Robust", robust],
    ],
  },
];

function rowOf({ at, level, asks, but, how, ids }: Requirement, passed: Passed): string {
  const tests = ids.map((id) => `${id} (${passed.get(id) ?? 0})`).join(", ");
  const met = `${but === undefined ? "" : `*${but}*: `}${how}`;
  return `| ${[at, ...(level === undefined ? [] : [level]), asks, met, tests].join(" | ")} |`;
}

export function pageOf({ title, lead, chapters }: Standard, passed: Passed): string {
  const tables = chapters.map(([chapter, all]) => {
    const names = ["section", ...(all[0]?.level === undefined ? [] : ["level"]), "asks", "how it is met", "tests"];
    const head = `| ${names.join(" | ")} |\n|${names.map(() => "---").join("|")}|`;
    return `## ${chapter}\n\n${head}\n${all.map((each) => rowOf(each, passed)).join("\n")}`;
  });
  return `${[`# ${title}`, lead, made, ...tables].join("\n\n")}\n`;
}
