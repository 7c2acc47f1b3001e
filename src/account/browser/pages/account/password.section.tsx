import { useSignal } from "@preact/signals";
import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/acting.ts";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Form } from "../../parts/form/form.tsx";
import { FormButtons } from "../../parts/form/form.buttons.tsx";
import { NewPasswordField } from "../../parts/form/new.password.field.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import { Outcome } from "../../parts/outcome.tsx";
import { PasswordField } from "../../parts/form/password.field.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { guide } from "../../parts/form/password.guidance.ts";
import { useWaiting } from "../../acts/waiting.ts";
import type { SectionProps } from "./section.props.ts";

/** Changes the password. An account without one gets a link by mail to set it. */
export function PasswordSection({ id, title, user, holdings }: SectionProps) {
  const { password } = useAccount().words.value.account;
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

interface PasswordFormProps {
  readonly user: User;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function PasswordForm({ user, onDone, onCancel }: PasswordFormProps) {
  const { words, client, session, settings } = useAccount();
  const { fields, account } = words.value;
  const form = useForm({
    id: "password",
    fields: [
      { name: "current_password", label: account.password.current },
      {
        name: "new_password",
        label: fields.newPassword,
        judge(value) {
          const { isGood, text } = guide(value, user, settings.password, words.value);
          return isGood ? undefined : text;
        },
      },
    ],
    blame: { invalid_credentials: "current_password" },
    async send(valueOf) {
      const [current, next] = [valueOf("current_password"), valueOf("new_password")];
      const result = await client.changePassword({ current_password: current, new_password: next });
      if (result.ok) {
        session.know(result.user);
        onDone();
      }
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Form state={form}>
      <p>{account.password.ends}</p>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      {/* The hidden name tells a password manager whose password to keep. */}
      <input type="text" name="username" autocomplete="username" value={user.email} readOnly hidden />
      <PasswordField
        form={form}
        name="current_password"
        label={account.password.current}
        autocomplete="current-password"
        isFirst
      />
      <NewPasswordField form={form} name="new_password" label={fields.newPassword} owner={user} />
      <FormButtons form={form} label={account.password.change} waiting={waiting} onCancel={onCancel} />
    </Form>
  );
}

function ByMail({ user }: { readonly user: User }) {
  const { words, client, router } = useAccount();
  const { account, forgot } = words.value;
  const { isBusy, refusal, act } = useActing();
  const waiting = useWaiting(refusal.value);
  const sent = useSignal<{ readonly token: string | undefined } | undefined>(undefined);
  const send = (): void =>
    void act(
      () => client.requestPasswordReset({ login: user.email }),
      (answer) => void (sent.value = { token: answer.reset_token }),
    );
  const token = sent.value?.token;
  return (
    <>
      <p class="soft">{account.password.setMeans}</p>
      <Refusal failure={refusal.value} waiting={waiting} />
      <Button isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={send}>
        {account.password.set}
      </Button>
      <Outcome text={sent.value !== undefined && token === undefined ? account.password.sent(user.email) : ""} />
      {token !== undefined && (
        <p>
          {forgot.sent.local} <a href={router.href("/reset-password", { token })}>{forgot.sent.open}</a>
        </p>
      )}
    </>
  );
}
