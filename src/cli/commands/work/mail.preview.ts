import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean, meantBy } from "../../../core/text/suggestion.ts";
import { readStart } from "../../app/start.ts";
import { command, exitCode, UsageError } from "../../command.ts";
import { table } from "../../terminal/columns.ts";
import { jsonOf } from "../../terminal/json.ts";
import { fileAt } from "../../terminal/sink.ts";

/** Shows mails with made-up values, in the words and looks of this installation. Needs no database and sends nothing. */
export const preview = command({
  args: {
    name: {
      type: "positional",
      required: false,
      description: "The mail, such as reset_link. Without a name all are listed",
    },
    locale: { type: "string", valueHint: "TAG", default: "en", description: "The language of the mail" },
    html: { type: "boolean", description: "Print the HTML in place of the text" },
    output: { type: "string", valueHint: "PATH", description: "Write the HTML to this file, for a browser" },
    force: { type: "boolean", description: "Replace a file that is there" },
    json: { type: "boolean", description: "Print one object of JSON a line (NDJSON)" },
  },
  files: { output: { way: "writes" } },
  async run({ definition, terminal }, { name, locale, html, json, force, ...args }) {
    const path = args.output === undefined ? undefined : resolve(args.output);
    if (name === undefined && (html === true || path !== undefined))
      throw new UsageError("NAME is missing: mail:preview without anything else lists them");
    if (path !== undefined && force !== true && existsSync(path))
      throw new UsageError(`${path} is there already: --force replaces it`);
    const { config, log } = await readStart(definition, terminal, { onlyLooks: true });
    const { openMailPreviews } = await import("../../../app/words/previews.ts");
    const { languages, names, show } = await openMailPreviews(config, log);
    if (!languages.includes(locale))
      throw new UsageError(
        `no mail is written in ${JSON.stringify(locale)}`,
        `the languages are ${languages.join(", ")}`,
      );
    const mails = (name === undefined ? names : [name]).flatMap((each) => {
      const mail = show(each, locale);
      return mail === undefined ? [] : [{ name: each, mail }];
    });
    const [first] = mails;
    if (first === undefined)
      throw new UsageError(`there is no mail ${JSON.stringify(name)}`, didYouMean(meantBy(name ?? "", names)));
    if (path !== undefined) {
      const sink = fileAt(path);
      try {
        sink.write(first.mail.html.trimEnd());
        sink.keep();
      } finally {
        sink.close();
      }
    }
    const facts = mails.map(({ name: each, mail: { subject, text, html: written } }) => ({
      name: each,
      locale,
      subject,
      ...(name !== undefined && { text, html: written }),
      ...(path !== undefined && { path }),
    }));
    if (json === true) terminal.out(jsonOf(facts));
    else if (path !== undefined) terminal.out(`wrote ${first.name} to ${path}`);
    else if (name === undefined)
      terminal.out(
        table(
          facts,
          [
            { head: "NAME", of: (mail) => mail.name },
            { head: "SUBJECT", of: ({ subject }) => subject, least: 20 },
          ],
          terminal.columns,
        ),
      );
    else
      terminal.out(html === true ? first.mail.html.trimEnd() : `${first.mail.subject}\n\n${first.mail.text.trimEnd()}`);
    return exitCode.done;
  },
});
