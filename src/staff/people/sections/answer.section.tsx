/** @jsxImportSource #html */
import { reasonInWords } from "../../../audit/index.ts";
import { rolesFor } from "../../../core/people/staff.ts";
import { Form } from "../../../http/pages/parts/form.tsx";
import { Pairs } from "../../../http/pages/parts/list.tsx";
import { around } from "../../../words/index.ts";
import { hindranceInWords, troubleInWords } from "../../../words/standing.ts";
import { Ago, AgoOrNever, listed } from "../../frame/parts.tsx";
import { beginningUpper } from "../../../account/shared/in.words.ts";
import { acts } from "../acts.ts";
import { adviceOn, headlineOf, remediesFor, type Reason as AnyReason } from "../help.ts";
import { fateInWords, kindInWords } from "../mail.words.ts";
import type { AboutPerson } from "../parts.tsx";

interface AnswerProps extends AboutPerson {
  readonly providerName: (provider: string) => string;
}

interface ReasonProps extends AboutPerson {
  readonly words: string;
  readonly reason: AnyReason;
}

/** A reason, with what helps: the right act first, and what to tell the person. */
const Reason = ({ context, person, words, reason }: ReasonProps) => {
  const { href, token, mayTo, viewer } = context;
  const { buttons, withheld: needs } = context.words.acts;
  const advice = adviceOn(reason, context.words.acts);
  const isOwn = person.id === viewer.session.userId;
  const open = remediesFor(reason, person).filter(({ act }) => !(isOwn && act === "reset-factors"));
  const offered = open.filter(({ act }) => mayTo(acts[act].may, person.roles));
  const [withheld] = offered.length === 0 ? open : [];
  return (
    <li>
      <div>
        <p>{beginningUpper(words)}.</p>
        {advice !== undefined && <p class="hint">{advice}</p>}
        {withheld !== undefined && (
          <p class="hint">
            {needs({
              act: buttons[withheld.label],
              roles: listed(context, rolesFor(acts[withheld.act].may), "disjunction"),
            })}
          </p>
        )}
      </div>
      {offered.length > 0 && (
        <div class="remedies">
          {offered.map(({ act, label }, index) => (
            <Form key={act} action={href(`/people/${person.id}/${act}`)} token={token}>
              <button class={act === "reset-factors" ? "danger" : index === 0 ? "primary" : undefined}>
                {buttons[label]}
              </button>
            </Form>
          ))}
        </div>
      )}
    </li>
  );
};

/** The last sign-in that was refused, whatever came of it later. */
const LastRefusal = ({ context: { times, words }, person: { events } }: AboutPerson) => {
  const { notRefused, refusedFor, refusedFrom, refusedForFrom } = words.people.latest;
  const last = events.find(({ action }) => action === "auth.login-failed");
  if (last === undefined) return <span class="soft">{notRefused}</span>;
  const { at, address } = last;
  const reason = last.reason === null ? null : reasonInWords(last.reason, words.reasons);
  const ago = <Ago at={at} times={times} />;
  if (reason === null) return address === null ? ago : <>{around(refusedFrom, { ago, address })}</>;
  return (
    <>{address === null ? around(refusedFor, { ago, reason }) : around(refusedForFrom, { ago, reason, address })}</>
  );
};

const LastMail = ({ context: { times, words }, person: { mails } }: AboutPerson) => {
  const { noMail, mailFate, mailAnswered } = words.people.latest;
  const [last] = mails;
  if (last === undefined) return <span class="soft">{noMail}</span>;
  const { at, kind, answer } = last;
  const [mail, fate] = [kindInWords(kind, words.reasons), fateInWords(last, words.reasons)];
  const said = { mail, fate, ago: <Ago at={at} times={times} /> };
  return <>{answer === null ? around(mailFate, said) : around(mailAnswered, { ...said, answer })}</>;
};

export const Answer = ({ context, person, providerName }: AnswerProps) => {
  const { standing, troubles } = person;
  const { times, words } = context;
  const { latest } = words.people;
  const { tone, title } = headlineOf(person, words.acts);
  const wording = { language: context.speech.language, words: words.reasons, moment: times.briefly };
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
          {reasons.map(({ reason, words: said }, index) => (
            <Reason key={index} context={context} person={person} words={said} reason={reason} />
          ))}
        </ul>
      )}
      <Pairs
        class="latest"
        pairs={[
          [latest.signedIn, <AgoOrNever at={person.lastLoginAt} context={context} />],
          [latest.seen, <AgoOrNever at={person.lastSeenAt} context={context} />],
          [latest.refused, <LastRefusal context={context} person={person} />, "long"],
          [latest.mail, <LastMail context={context} person={person} />, "long"],
        ]}
      />
    </section>
  );
};
