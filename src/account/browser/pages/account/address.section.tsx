import { useSignal } from "@preact/signals";
import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/acting.ts";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { FormButtons } from "../../parts/form/form.buttons.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import { Outcome } from "../../parts/outcome.tsx";
import { PasswordField } from "../../parts/form/password.field.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { useWaiting } from "../../acts/waiting.ts";
import type { SectionProps } from "./section.props.ts";

/** The address, whether it is verified, and the one that is about to replace it. */
export function AddressSection({ id, title, user }: SectionProps) {
  const { email } = useAccount().words.value.account;
  const opening = useOpening();
  const outcome = useSignal("");
  const say = (text: string): void => void (outcome.value = text);
  const isVerified = user.email_verified_at !== null;
  const state = (
    <>
      <bdi>{user.email}</bdi>{" "}
      <span class={`tag ${isVerified ? "good" : "warning"}`}>{isVerified ? email.verified : email.unverified}</span>
    </>
  );
  return (
    <Card id={id} title={title} state={state}>
      <Unproven user={user} onOutcome={say} />
      {user.has_password ? (
        <OpeningForm opening={opening} label={email.change} onOpen={() => say("")}>
          <AddressForm
            user={user}
            onCancel={opening.close}
            onDone={(pending) => {
              opening.close();
              say(pending === null ? email.kept : email.asked(pending));
            }}
          />
        </OpeningForm>
      ) : (
        <p class="soft">{email.needsPassword}</p>
      )}
      <Outcome text={outcome.value} />
    </Card>
  );
}

interface UnprovenProps {
  readonly user: User;
  readonly onOutcome: (text: string) => void;
}

/** Shows an address that waits for its owner to open the link of a mail. */
function Unproven({ user, onOutcome }: UnprovenProps) {
  const { words, client, router, session } = useAccount();
  const { email } = words.value.account;
  const { isBusy, refusal, act } = useActing();
  const waiting = useWaiting(refusal.value);
  const isSent = useSignal(false);
  const token = useSignal<string | undefined>(undefined);
  const pending = user.pending_email;
  if (user.email_verified_at !== null && pending === null) return null;
  const resend = (): void =>
    void act(
      () => client.requestEmailVerification(),
      (answer) => {
        isSent.value = true;
        token.value = answer.verification_token;
        onOutcome(email.resent);
      },
    );
  const keep = (): void =>
    void act(
      () => client.updateProfile({ email: user.email }),
      (answer) => {
        session.know(answer.user);
        onOutcome(email.kept);
      },
    );
  return (
    <>
      <div class="notice warning">
        {pending === null ? (
          <p>{email.unverifiedMeans}</p>
        ) : (
          <>
            <p>
              <strong>{email.waiting(pending)}</strong>
            </p>
            <p>{email.waitingMeans(user.email)}</p>
          </>
        )}
        <div class="buttons">
          <Button isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={resend}>
            {pending === null && !isSent.value ? email.send : email.resend}
          </Button>
          {pending !== null && <Button onClick={keep}>{email.keep}</Button>}
        </div>
        {token.value !== undefined && (
          <p>
            {email.local} <a href={router.href("/verify-email", { token: token.value })}>{email.open}</a>
          </p>
        )}
      </div>
      <Refusal failure={refusal.value} waiting={waiting} />
    </>
  );
}

interface AddressFormProps {
  readonly user: User;
  /** Called with the address that waits now. */
  readonly onDone: (pending: string | null) => void;
  readonly onCancel: () => void;
}

function AddressForm({ user, onDone, onCancel }: AddressFormProps) {
  const { words, client, session } = useAccount();
  const { email, password } = words.value.account;
  const form = useForm({
    id: "address",
    fields: [
      {
        name: "email",
        label: email.next,
        judge: (value) => (value.trim() === user.email ? email.unchanged : undefined),
      },
      { name: "current_password", label: password.current },
    ],
    // `reauthentication_required` also stands for a wrong password here.
    blame: { reauthentication_required: "current_password", email_taken: "email", username_taken: "email" },
    forgets: "current_password",
    async send(valueOf) {
      const [address, secret] = [valueOf("email").trim(), valueOf("current_password")];
      const result = await client.updateProfile({ email: address, current_password: secret });
      if (result.ok) {
        session.know(result.user);
        onDone(result.user.pending_email);
      }
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Form state={form}>
      <p>{email.changeMeans}</p>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Field form={form} name="email" label={email.next} type="email" autocomplete="email" isFirst />
      <PasswordField form={form} name="current_password" label={password.current} autocomplete="current-password" />
      <FormButtons form={form} label={email.change} waiting={waiting} onCancel={onCancel} />
    </Form>
  );
}
