import { useSignal } from "@preact/signals";
import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Outcome } from "../../parts/blocks.tsx";
import { KeptUnder, NewPasswordField, PasswordField, useNewPassword } from "../../parts/fields.tsx";
import { Button, InnerForm, Refusal } from "../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import type { OpenedProps, SectionProps } from "./section.tsx";

/** Changes the password. An account without one gets a link by mail to set it. */
export function PasswordSection({ id, title, user, holdings }: SectionProps) {
  const { password } = useChapter("account");
  // A password manager that leads to this section wants the form.
  const opening = useOpening(user.has_password && location.hash === `#${id}`);
  const outcome = useSignal("");
  const done = (): void => {
    opening.close();
    outcome.value = password.changed;
    void holdings.sessions.load();
  };
  return (
    <Card id={id} title={title} state={user.has_password ? password.has : password.none}>
      {user.has_password ? (
        <>
          <OpeningForm opening={opening} label={password.change} onOpen={() => void (outcome.value = "")}>
            <PasswordForm user={user} onDone={done} onCancel={opening.close} />
          </OpeningForm>
          <Outcome text={outcome.value} />
        </>
      ) : (
        <ByMail user={user} />
      )}
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
