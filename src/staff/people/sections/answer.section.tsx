/** @jsxImportSource #html */
import { type Hindrance, hindranceWords } from "../../../core/people/standing.ts";
import { Form } from "../../../http/pages/parts/form.tsx";
import { Pairs } from "../../../http/pages/parts/list.tsx";
import { Ago, AgoOrNever } from "../../frame/parts.tsx";
import { capitalised } from "../../frame/words.ts";
import { acts, type ActName } from "../acts.ts";
import { fateInWords, kindInWords } from "../mail.words.ts";
import { type AboutPerson, firstPasswordLabel } from "../parts.tsx";

interface AnswerProps extends AboutPerson {
  readonly providerName: (provider: string) => string;
}

/** Hindrances that keep a person out everywhere. Any other leaves a way in. */
const hindersEverywhere: ReadonlySet<Hindrance["why"]> = new Set([
  "disabled",
  "locked",
  "blocked",
  "address_not_proven",
  "no_way_in",
]);

/** Hindrance → the act that removes it, with the words on its button. */
const remedies: Readonly<Partial<Record<Hindrance["why"], readonly [act: ActName, label: string]>>> = {
  disabled: ["enable", "Enable"],
  locked: ["unlock", "Unlock"],
  browser_locked: ["unlock", "Unlock"],
  blocked: ["unlock", "Unlock"],
  rate_limited: ["unlock", "Unlock"],
  codes_used_up: ["unlock", "Unlock"],
  address_not_proven: ["verify", "Count as proven"],
  no_way_in: ["send-reset", firstPasswordLabel],
};

interface HindranceProps extends AnswerProps {
  readonly hindrance: Hindrance;
}

const HindranceItem = ({ context: { href, token, times, mayTo }, person, providerName, hindrance }: HindranceProps) => {
  const { providers } = hindrance;
  const named = providers === undefined ? hindrance : { ...hindrance, providers: providers.map(providerName) };
  const remedy = remedies[hindrance.why];
  return (
    <li>
      <p>{capitalised(hindranceWords(named, times.briefly))}.</p>
      {remedy !== undefined && mayTo(acts[remedy[0]].may, person.roles) && (
        <Form action={href(`/people/${person.id}/${remedy[0]}`)} token={token}>
          <button>{remedy[1]}</button>
        </Form>
      )}
    </li>
  );
};

const LastMail = ({ context: { times }, person: { mails } }: AboutPerson) => {
  const [last] = mails;
  if (last === undefined) return <span class="soft">none lately</span>;
  return (
    <>
      {kindInWords(last.kind)}: {fateInWords(last)} (<Ago at={last.at} times={times} />)
      {last.answer !== null && <>: {last.answer}</>}
    </>
  );
};

export const Answer = ({ context, person, providerName }: AnswerProps) => {
  const { standing } = person;
  const isOut = standing.some(({ why }) => hindersEverywhere.has(why));
  const tone = standing.length === 0 ? "good" : isOut ? "danger" : "warning";
  const title = { good: "Can sign in", warning: "Can sign in, but not in every way", danger: "Can’t sign in now" }[
    tone
  ];
  return (
    <section class={`card answer ${tone}`}>
      <h2>{title}</h2>
      {standing.length > 0 && (
        <ul class="hindrances">
          {standing.map((hindrance, index) => (
            <HindranceItem
              key={index}
              context={context}
              person={person}
              providerName={providerName}
              hindrance={hindrance}
            />
          ))}
        </ul>
      )}
      <Pairs
        class="latest"
        pairs={[
          ["Last signed in", <AgoOrNever at={person.lastLoginAt} times={context.times} />],
          ["Last seen", <AgoOrNever at={person.lastSeenAt} times={context.times} />],
          ["Last mail", <LastMail context={context} person={person} />, "long"],
        ]}
      />
    </section>
  );
};
