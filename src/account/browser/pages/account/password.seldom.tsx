import { useSignal } from "@preact/signals";
import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Outcome } from "../../parts/blocks.tsx";
import { Button, Refusal } from "../../parts/form.tsx";
import { useOpening } from "../../parts/opening.tsx";
import { type OpenedProps, Question, type SectionProps } from "./section.tsx";

// What few people see of their password: a file of its own.

/** How many passkeys the server wants to see before it takes a password away. */
const leastPasskeys = 2;

/** Takes the password off the account of a person who has passkeys in its place. */
export function PasswordRemoval({ holdings, onDone }: Pick<SectionProps, "holdings"> & Pick<OpenedProps, "onDone">) {
  const { words, client, session, settings } = useAccount();
  const { password } = useChapter("account");
  const asked = useOpening();
  const usable = holdings.mfa.value.value?.passkeys.filter(({ rp_id: domain }) => domain === settings.passkeyDomain);
  if (usable === undefined || usable.length < leastPasskeys) return null;
  return (
    <>
      <Button onClick={asked.open}>{password.remove}</Button>
      {asked.isOpen.value && (
        <Question
          title={password.removeTitle}
          submit={password.remove}
          cancel={words.value.acts.keep}
          ask={client.removePassword}
          onDone={({ user }) => {
            session.know(user);
            onDone();
          }}
          onClose={asked.close}
        >
          <p>{password.removeMeans}</p>
        </Question>
      )}
    </>
  );
}

/** Sends the mail by which an account gets its first password. */
export function PasswordByMail({ user }: { readonly user: User }) {
  const { words, client, router } = useAccount();
  const { forgot } = words.value;
  const { password } = useChapter("account");
  const { act, ...progress } = useActing();
  const sent = useSignal<{ readonly token: string | undefined } | undefined>(undefined);
  const send = (): void =>
    void act(
      () => client.requestPasswordReset({ login: user.email }),
      (answer) => void (sent.value = { token: answer.reset_token }),
    );
  const token = sent.value?.token;
  return (
    <>
      <Button progress={progress} onClick={send}>
        {password.set}
      </Button>
      <p class="soft">{password.setMeans}</p>
      <Refusal progress={progress} />
      <Outcome text={sent.value !== undefined && token === undefined ? password.sent({ email: user.email }) : ""} />
      {token !== undefined && (
        <p>
          {forgot.sent.local} <a href={router.href("/reset-password", { token })}>{forgot.sent.open}</a>
        </p>
      )}
    </>
  );
}
