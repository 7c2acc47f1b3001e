import { resolve } from "node:path";
import { command, exitCode, UsageError } from "../../command.ts";

/** Prints our words of a language as the JSON that a file below WORDS_PATH has. Reads no settings: the file may be half done. */
export const list = command({
  args: {
    locale: {
      type: "string",
      required: true,
      valueHint: "TAG",
      description:
        "The language, such as de or pt-BR. Where Gatehouse does not speak it, the words are English, to be translated",
    },
    missing: {
      type: "string",
      valueHint: "FILE",
      description: "Print only the words that this file, of the same language, does not have",
    },
  },
  files: { missing: { way: "reads" } },
  async run({ terminal }, { locale, missing }) {
    const { isLanguage, languageMeant, readWordsFile, slotsOf } = await import("../../../app/words/own.ts");
    if (!isLanguage(locale)) {
      const meant = languageMeant(locale);
      throw new UsageError(
        `--locale ${JSON.stringify(locale)} is no language that is known`,
        meant === undefined ? "such are de, pt-BR and zh-Hant" : `is ${meant} meant?`,
      );
    }
    const own = missing === undefined ? undefined : readWordsFile(resolve(missing), locale);
    for (const problem of own?.problems ?? []) terminal.err(`${missing} ${problem}`);
    if (own !== undefined && own.problems.length > 0) return exitCode.failed;
    const entries = [...slotsOf(locale)].flatMap(([key, { ours }]) =>
      own !== undefined && Object.hasOwn(own.table, key) ? [] : [[key, ours] as const],
    );
    terminal.out(JSON.stringify(Object.fromEntries(entries), undefined, 2));
    return exitCode.done;
  },
});
