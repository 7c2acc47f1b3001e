/** @jsxImportSource #html */
import { Table } from "../../../http/pages/parts/list.tsx";
import type { Person } from "../../../auth/index.ts";
import { Ago } from "../../frame/parts.tsx";
import { fateInWords, kindInWords } from "../mail.words.ts";
import { Tag, type AboutPerson } from "../parts.tsx";

const tones = { waiting: "warning", sent: "good", refused: "danger", gave_up: "danger", withheld: undefined } as const;

const Fate = ({ context, mail }: Pick<AboutPerson, "context"> & { readonly mail: Person["mails"][number] }) => (
  <>
    <Tag tone={tones[mail.state]}>{fateInWords(mail, context.words.reasons)}</Tag>
    {mail.count > 1 && ` ×${context.count(mail.count)}`}
    {mail.answer !== null && <span class="words">{mail.answer}</span>}
  </>
);

/** The mails to the person and their fates, the latest first. */
export function Mails({ context, person: { mails } }: AboutPerson) {
  const words = context.words.people.mails;
  return (
    <section>
      <h2 id="mails">{words.title}</h2>
      <Table
        labelledBy="mails"
        columns={Object.values(words.columns)}
        rows={mails.map((mail) => [
          kindInWords(mail.kind, context.words.reasons),
          <Fate context={context} mail={mail} />,
          <Ago at={mail.at} times={context.times} />,
          context.count(mail.attempts),
        ])}
        empty={<p class="soft">{words.none}</p>}
      />
    </section>
  );
}
