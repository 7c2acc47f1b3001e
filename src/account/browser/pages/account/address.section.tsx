import { useSignal } from "@preact/signals";
import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Outcome } from "../../parts/blocks.tsx";
import { Field, PasswordField } from "../../parts/fields.tsx";
import { Button, InnerForm, Refusal } from "../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import type { OpenedProps, SectionProps } from "./section.tsx";

/** The address, whether it is verified, and the one that is about to replace it. */
export function AddressSection({ id, title, user }: SectionProps) {
  const { email } = useChapter("account");
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
      {user.has_password ? (
        <OpeningForm opening={opening} label={email.change} onOpen={() => say("")}>
          <AddressForm
            user={user}
            onCancel={opening.close}
            onDone={(pending) => {
              opening.close();
              say(pending === null ? email.kept : email.asked({ pending }));
            }}
          />
        </OpeningForm>
      ) : (
        <p class="soft">{email.needsPassword}</p>
      )}
      <Unproven user={user} onOutcome={say} />
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
  const { titles } = words.value;
  const { email } = useChapter("account");
  const { act, ...progress } = useActing();
  const isSent = useSignal(false);
  const token = useSignal<string | undefined>(undefined);
  const pending = user.pending_email;
  if (user.email_verified_at !== null && pending === null) return null;
  const resend = (): void =>
    void act(client.requestEmailVerification, (answer) => {
      isSent.value = true;
      token.value = answer.verification_token;
      onOutcome(email.resent);
    });
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
      <div class="notice warning asking">
        {pending === null ? (
          <p>{email.unverifiedMeans}</p>
        ) : (
          <p>
            <strong>{email.waiting({ pending })}</strong> {email.waitingMeans({ current: user.email })}
          </p>
        )}
        <div class="buttons">
          <Button progress={progress} onClick={resend}>
            {pending === null && !isSent.value ? email.send : email.resend}
          </Button>
          {pending !== null && <Button onClick={keep}>{email.keep}</Button>}
        </div>
        {token.value !== undefined && (
          <p>
            {email.local} <a href={router.href("/verify-email", { token: token.value })}>{titles.verifyEmail}</a>
          </p>
        )}
      </div>
      <Refusal progress={progress} />
    </>
  );
}

interface AddressFormProps extends Omit<OpenedProps, "onDone"> {
  /** Called with the address that waits now. */
  readonly onDone: (pending: string | null) => void;
}

function AddressForm({ user, onDone, onCancel }: AddressFormProps) {
  const { words, client, session } = useAccount();
  const { email } = useChapter("account");
  const { currentPassword } = words.value.acts;
  const form = useForm({
    id: "address",
    fields: [
      {
        name: "email",
        label: email.next,
        judge: (value) => (value.trim() === user.email ? email.unchanged : undefined),
      },
      { name: "current_password", label: currentPassword },
    ],
    // `reauthentication_required` also stands for a wrong password here.
    blame: {
      reauthentication_required: "current_password",
      email_taken: "email",
      username_taken: "email",
      domain_not_allowed: "email",
    },
    forgets: "current_password",
    send: (valueOf) =>
      client.updateProfile({ email: valueOf("email").trim(), current_password: valueOf("current_password") }),
    done(answer) {
      session.know(answer.user);
      onDone(answer.user.pending_email);
    },
  });
  return (
    <InnerForm form={form} lead={email.changeMeans} submit={email.change} onCancel={onCancel}>
      <Field form={form} name="email" type="email" autocomplete="email" isFirst />
      <PasswordField form={form} name="current_password" />
    </InnerForm>
  );
}
