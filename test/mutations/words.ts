import { contract, type Mutation } from "./mutation.ts";

const judged = ["test/unit/words.own.test.ts", "test/unit/words.hostile.test.ts"];

/** Over an operator's own words, and the pages that show what became of them. */
export const wordMutations: readonly Mutation[] = [
  {
    name: "words may end an element",
    file: "src/words/own/rules.ts",
    from: "/[<>]/.test(text)",
    to: "/[<]/.test(text)",
    tests: judged,
  },
  {
    name: "words may have entities",
    file: "src/words/own/rules.ts",
    from: "entity.test(text)",
    to: 'entity.test("")',
    tests: judged,
  },
  {
    name: "words may begin an encoded word of a subject",
    file: "src/words/own/rules.ts",
    from: 'text.includes("=?")',
    to: 'text.includes("=??")',
    tests: judged,
  },
  {
    name: "words may have an address that is no host",
    file: "src/words/own/links.ts",
    from: String.raw`/\S*\/\/\S*/gu`,
    to: String.raw`/\S*\/\/\/\S*/gu`,
    tests: judged,
  },
  {
    name: "an example of an address may go on as another one",
    file: "src/words/own/links.ts",
    from: String.raw`|\.[\p{L}\p{N}{])`,
    to: ")",
    tests: judged,
  },
  {
    name: "a value may be missing in words",
    file: "src/words/own/rules.ts",
    from: "(missing.length > 0",
    to: "(missing.length > 9",
    tests: judged,
  },
  {
    name: "a name in braces may reach what every object has",
    file: "src/words/message.ts",
    from: "Object.hasOwn(values, name) ? values[name]",
    to: "name in values ? values[name]",
    tests: judged,
  },
  {
    name: "of a key that is there twice the later one counts in silence",
    file: "src/words/own/judge.ts",
    from: "if (before !== undefined) {",
    to: "if (before === 0) {",
    tests: judged,
  },
  {
    name: "a plural may have no text for all other numbers",
    file: "src/words/own/judge.ts",
    from: "if (!needsOther(language)) return [];",
    to: "if (needsOther(language)) return [];",
    tests: judged,
  },
  {
    name: "a file of words may be as large as it likes",
    file: "src/words/own/read.ts",
    from: "status.size > mostBytes",
    to: "status.size < 0",
    tests: judged,
  },
  {
    name: "a language is read in whatever script",
    file: "src/words/tables.ts",
    from: "one.language === two.language && one.script === two.script",
    to: "one.language === two.language",
    tests: judged,
  },
  {
    name: "a start does not judge words",
    file: "src/cli/app/start.ts",
    from: "if (config.app.wordsPath !== undefined) {",
    to: 'if (config.app.wordsPath === "") {',
    tests: contract("words/words"),
  },
  {
    name: "everybody of the staff sees mails",
    file: "src/core/people/staff.ts",
    from: '"mails.see": readers',
    to: '"mails.see": all',
    tests: contract("staff/rights"),
  },
  {
    name: "pages of other sites may frame a shown mail",
    file: "src/http/pages/policy.ts",
    from: "frame-ancestors 'self'; sandbox",
    to: "frame-ancestors *; sandbox",
    tests: contract("staff/mails"),
  },
];
