import type { Config } from "../../config/index.ts";
import type { Log } from "../../observe/index.ts";
import { createWords, type Words } from "../../words/index.ts";

/**
 * Opens the words of pages and mails, with the operator's where WORDS_PATH is set. A start refuses words that are wrong; where they have
 * become so since, and in a command that looks after accounts, ours stand in for all of them, and the log says so.
 */
export async function openWords({ wordsPath }: Pick<Config["app"], "wordsPath">, log: Log): Promise<Words> {
  if (wordsPath === undefined) return createWords();
  const { readOwnWords } = await import("../../words/own/read.ts");
  const { words, problems } = readOwnWords(wordsPath);
  const [problem] = problems;
  if (problem === undefined) return createWords(words);
  log.error("pages and mails go without the operator's words", { reason: `WORDS_PATH ${problem}` });
  return createWords();
}
