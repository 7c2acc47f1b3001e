/** An environment that can't be used. The message names every problem; the exit code is 2. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(["the configuration is not valid:", ...problems.map((problem) => `  ${problem}`)].join("\n"));
    this.name = "ConfigurationError";
    this.problems = problems;
  }
}
