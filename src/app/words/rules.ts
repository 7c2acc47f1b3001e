import { isAbsolute } from "node:path";
import { isDeployed, type Config } from "../../config/index.ts";
import { readOwnWords } from "../../words/own/read.ts";

/** Returns why a start would refuse the words that WORDS_PATH names, every line of every file. */
export function wordProblems(config: Config): readonly string[] {
  const { wordsPath } = config.app;
  if (wordsPath === undefined) return [];
  if (isDeployed(config) && !isAbsolute(wordsPath)) return ["WORDS_PATH must be an absolute path"];
  return readOwnWords(wordsPath).problems.map((problem) => `WORDS_PATH ${problem}`);
}
