import { expect, test } from "bun:test";
import { join } from "node:path";
import { readSearch } from "../../src/docs/site/build.ts";
import { searchOf } from "../../src/docs/site/look/search.ts";
import { headings, section } from "../support/markdown.ts";

const root = join(import.meta.dir, "..", "..");
const page = "start/questions";
const written = await Bun.file(join(root, "src", "docs", `${page}.md`)).text();
const find = searchOf(await readSearch());
const firstThree = (query: string): string[] =>
  find(query)
    .slice(0, 3)
    .map(({ id }) => id);

/** How others would ask the questions of the first hour, by their first words, and the chapters that answer. */
const inOtherWords: readonly (readonly [asked: string, ...answers: string[]])[] = [
  ["react different port cors error", "apps/origins", "concepts/origins", page],
  ["cookies not sent localhost 5173", "concepts/origins", "apps/origins", page],
  ["get current user in backend", "apps/callers", "apps/backends", "apps/servers"],
  ["who is signed in api", page],
  ["current user in my api", page],
  ["signed out too soon", page, "concepts/sessions"],
  ["why am I logged out", page, "concepts/sessions"],
  ["logged out", page, "concepts/sessions"],
  ["how do I become admin", page],
  ["custom user attributes", "apps/users"],
  ["nginx auth_request", "apps/proxies"],
  ["integration tests login", "apps/testing"],
  ["session expires logged out", "concepts/sessions"],
  ["react native access token", "apps/native", "start/expo"],
  ["email template", "people/mails", page],
  ["google login button", "people/providers", page],
  ["admin role", "operate/staff", page],
  ["install on a host with systemd", "operate/deploy"],
  ["migrate from auth0", "move/auth0"],
  ["import users from clerk", "move/clerk"],
  ["saml", "concepts/limits"],
  ["sms code", "concepts/limits"],
  ["AUTH_SESSION_TTL", "concepts/sessions", "reference/variables"],
];

test("the twelve questions of the first hour are answered among the first three results, in their own words", () => {
  const questions = headings(written).filter(({ level }) => level === 2);
  expect(questions).toHaveLength(12);
  const unanswered = questions.filter(({ text, anchor }) => !firstThree(text).includes(`${page}/#${anchor}`));
  expect(unanswered).toEqual([]);
});

test("each answer leads to a chapter", () => {
  const questions = headings(written).filter(({ level }) => level === 2);
  const short = questions.filter(({ text }) => !/\]\([\w./#-]+\.md/.test(section(written, text)));
  expect(short).toEqual([]);
});

test.each([...inOtherWords])("“%s” finds the right chapter among the first three", (asked, ...answers) => {
  const found = firstThree(asked);
  expect({ found, right: found.some((id) => answers.some((answer) => id.startsWith(`${answer}/`))) }).toEqual({
    found,
    right: true,
  });
});
