/** @jsxImportSource #html */
import { Aside } from "../../http/pages/parts/form.tsx";
import { CodeField, PasskeyAnswer } from "../proof/factor.forms.tsx";
import { EntryForm, EntryPage, MessagePage, Refusal } from "./parts.tsx";
import { onward, type EntryView } from "./view.ts";

/** The ways to take a second step, the usual one first. */
export const ways = ["passkey", "totp", "recovery_code"] as const;
export type Way = (typeof ways)[number];

export interface ChallengeProps {
  readonly view: EntryView;
  readonly challenge: string;
  /** The page to show after the sign-in. */
  readonly next: string;
  readonly methods: readonly Way[];
  readonly way: Way;
  readonly passkeyOptions: unknown;
}

const path = "/login/verify";

const Answer = ({ view, challenge, next, way, passkeyOptions }: ChallengeProps) => {
  const { words, href, token, refusal } = view;
  const { ways: texts } = words.factors;
  const fields = [
    ["challenge", challenge],
    ["next", next],
    ["method", way],
  ] as const;
  if (way === "passkey")
    return (
      <>
        <Refusal view={view} />
        <PasskeyAnswer action={href(path)} token={token} options={passkeyOptions} fields={fields} words={words} />
      </>
    );
  const { label, wrong } = texts[way];
  return (
    <EntryForm view={view} action={path} hidden={fields} submit={words.signIn.submit} blamed={["invalid_code"]}>
      <CodeField method={way} label={label} error={refusal?.reason === "invalid_code" ? wrong : undefined} />
    </EntryForm>
  );
};

/** The second step of a sign-in. */
export const ChallengePage = (props: ChallengeProps) => {
  const { view, challenge, next, methods, way } = props;
  const { words, href, frame } = view;
  const { ways: texts, challenge: texting } = words.factors;
  const lead = way === "totp" ? texts.totp.lead({ product: frame.mark.product }) : texts[way].lead;
  const others = methods.filter((method) => method !== way);
  const query = (method: Way): string => String(new URLSearchParams({ challenge, next, way: method }));
  return (
    <EntryPage view={view} title={texting.title} subtitle={lead}>
      <Answer {...props} />
      {others.map((method) => (
        <Aside key={method} href={`${href(path)}?${query(method)}`}>
          {texts[method].name}
        </Aside>
      ))}
      <Aside href={onward(view, "/login", next)}>{texting.restart}</Aside>
    </EntryPage>
  );
};

/** The page for an account whose only factors are passkeys of another address. */
export const ChallengeStuckPage = ({ view, next }: { readonly view: EntryView; readonly next: string }) => {
  const { words, frame } = view;
  const { stuck, challenge } = words.factors;
  return (
    <EntryPage view={view} title={stuck.title}>
      <p>{stuck.elsewhere({ product: frame.mark.product })}</p>
      <p>{stuck.help({ product: frame.mark.product })}</p>
      <Aside href={onward(view, "/login", next)}>{challenge.restart}</Aside>
    </EntryPage>
  );
};

/** The page for a challenge that took too long, or that something has made void. */
export const ChallengeOverPage = ({ view, next }: { readonly view: EntryView; readonly next: string }) => {
  const { over } = view.words.factors.challenge;
  return (
    <MessagePage
      view={view}
      title={over.title}
      lines={[over.void]}
      way={{ href: onward(view, "/login", next), label: over.submit, isPrimary: true }}
    />
  );
};
