import { useSignal } from "@preact/signals";
import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Outcome } from "../../parts/blocks.tsx";
import { KeptUnder, NewPasswordField, PasswordField, useNewPassword } from "../../parts/fields.tsx";
import { Button, InnerForm, Refusal } from "../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import { type OpenedProps, Question, type SectionProps } from "./section.tsx";

/** Changes the password. An account without one gets a link by mail to set it. */
export function PasswordSection({ id, title, user, holdings }: SectionProps) {
  const { password } = useChapter("account");
  // A password manager that leads to this section wants the form.
  const opening = useOpening(user.has_password && location.hash === `#${id}`);
  const outcome = useSignal("");
  const done = (said: string): void => {
    opening.close();
    outcome.value = said;
    void holdings.sessions.load();
  };
  return (
    <Card id={id} title={title} state={user.has_password ? password.has : password.none}>
      {user.has_password ? (
        <>
          <OpeningForm opening={opening} label={password.change} onOpen={() => void (outcome.value = "")}>
            <PasswordForm user={user} onDone={() => done(password.changed)} onCancel={opening.close} />
          </OpeningForm>
          {!opening.isOpen.value && <Removal holdings={holdings} onDone={() => done(password.removed)} />}
        </>
      ) : (
        <ByMail user={user} />
      )}
      <Outcome text={outcome.value} />
    </Card>
  );
}

function PasswordForm({ user, onDone, onCancel }: OpenedProps) {
  const { words, client, session } = useAccount();
  const { fields, acts } = words.value;
  const { password } = useChapter("account");
  const form = useForm({
    id: "password",
    fields: [
      { name: "current_password", label: acts.currentPassword },
      useNewPassword("new_password", fields.newPassword, user),
    ],
    blame: { invalid_credentials: "current_password" },
    send: (valueOf) =>
      client.changePassword({
        current_password: valueOf("current_password"),
        new_password: valueOf("new_password"),
      }),
    done(answer) {
      session.know(answer.user);
      onDone();
    },
  });
  const { ends, change } = password;
  return (
    <InnerForm form={form} lead={ends} submit={change} onCancel={onCancel}>
      <KeptUnder email={user.email} />
      <PasswordField form={form} name="current_password" isFirst />
      <NewPasswordField form={form} name="new_password" owner={user} />
    </InnerForm>
  );
}

/** How many passkeys the server wants to see before it takes a password away. */
const leastPasskeys = 2;

/** Takes the password off the account of a person who has passkeys in its place, where the service allows it. */
function Removal({ holdings, onDone }: Pick<SectionProps, "holdings"> & Pick<OpenedProps, "onDone">) {
  const { words, client, session, settings } = useAccount();
  const { password } = useChapter("account");
  const asked = useOpening();
  const usable = holdings.mfa.value.value?.passkeys.filter(({ rp_id: domain }) => domain === settings.passkeyDomain);
  if (!settings.passwordless || usable === undefined || usable.length < leastPasskeys) return null;
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

function ByMail({ user }: { readonly user: User }) {
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
