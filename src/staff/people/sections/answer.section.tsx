/** @jsxImportSource #html */
import { reasonInWords } from "../../../audit/index.ts";
import { rolesFor } from "../../../core/people/staff.ts";
import { Form } from "../../../http/pages/parts/form.tsx";
import { Pairs } from "../../../http/pages/parts/list.tsx";
import { Ago, AgoOrNever } from "../../frame/parts.tsx";
import { hindranceInWords, troubleInWords } from "../../../words/standing.ts";
import { capitalised } from "../../frame/words.ts";
import { acts, type ActName } from "../acts.ts";
import { headlineOf, helpFor } from "../help.ts";
import { fateInWords, kindInWords } from "../mail.words.ts";
import type { AboutPerson } from "../parts.tsx";

interface AnswerProps extends AboutPerson {
  readonly providerName: (provider: string) => string;
}

interface ReasonProps extends AboutPerson {
  readonly words: string;
  readonly reason: Parameters<typeof helpFor>[0];
}

const rolesInWords = (act: ActName): string => `${rolesFor(acts[act].may).join(" or ")} can do this`;

/** A reason, with what helps: the right act first, and what to tell the person. */
const Reason = ({ context: { href, token, mayTo, viewer }, person, words, reason }: ReasonProps) => {
  const { remedies, advice } = helpFor(reason, person);
  const isOwn = person.id === viewer.session.userId;
  const open = remedies.filter(({ act }) => !(isOwn && act === "reset-factors"));
  const offered = open.filter(({ act }) => mayTo(acts[act].may, person.roles));
  const [withheld] = offered.length === 0 ? open : [];
  return (
    <li>
      <div>
        <p>{capitalised(words)}.</p>
        {advice !== undefined && <p class="hint">{advice}</p>}
        {withheld !== undefined && (
          <p class="hint">
            {withheld.label}: an {rolesInWords(withheld.act)}.
          </p>
        )}
      </div>
      {offered.length > 0 && (
        <div class="remedies">
          {offered.map(({ act, label }, index) => (
            <Form key={act} action={href(`/people/${person.id}/${act}`)} token={token}>
              <button class={act === "reset-factors" ? "danger" : index === 0 ? "primary" : undefined}>{label}</button>
            </Form>
          ))}
        </div>
      )}
    </li>
  );
};

/** The last sign-in that was refused, whatever came of it later. */
const LastRefusal = ({ context: { times, words }, person: { events } }: AboutPerson) => {
  const last = events.find(({ action }) => action === "auth.login-failed");
  if (last === undefined) return <span class="soft">none lately</span>;
  return (
    <>
      <Ago at={last.at} times={times} />
      {last.reason !== null && <>: {reasonInWords(last.reason, words.reasons)}</>}
      {last.address !== null && <>, from {last.address}</>}
    </>
  );
};

const LastMail = ({ context: { times, words }, person: { mails } }: AboutPerson) => {
  const [last] = mails;
  if (last === undefined) return <span class="soft">none lately</span>;
  return (
    <>
      {kindInWords(last.kind, words.reasons)}: {fateInWords(last, words.reasons)} (<Ago at={last.at} times={times} />)
      {last.answer !== null && <>: {last.answer}</>}
    </>
  );
};

export const Answer = ({ context, person, providerName }: AnswerProps) => {
  const { standing, troubles } = person;
  const { tone, title } = headlineOf(person);
  const { times } = context;
  const wording = { language: context.speech.language, words: context.words.reasons, moment: times.briefly };
  const named = standing.map(({ providers, ...hindrance }) => ({
    ...hindrance,
    ...(providers !== undefined && { providers: providers.map(providerName) }),
  }));
  const reasons = [
    ...named.map((reason) => ({ reason, words: hindranceInWords(reason, wording) })),
    ...troubles.map((reason) => ({ reason, words: troubleInWords(reason, wording) })),
  ];
  return (
    <section class={`card answer ${tone}`}>
      <h2>{title}</h2>
      {reasons.length > 0 && (
        <ul class="hindrances">
          {reasons.map(({ reason, words }, index) => (
            <Reason key={index} context={context} person={person} words={words} reason={reason} />
          ))}
        </ul>
      )}
      <Pairs
        class="latest"
        pairs={[
          ["Last signed in", <AgoOrNever at={person.lastLoginAt} context={context} />],
          ["Last seen", <AgoOrNever at={person.lastSeenAt} context={context} />],
          ["Last refused", <LastRefusal context={context} person={person} />, "long"],
          ["Last mail", <LastMail context={context} person={person} />, "long"],
        ]}
      />
    </section>
  );
};
