import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useAccount, useChapter } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Outcome } from "../../parts/blocks.tsx";
import { KeptUnder, NewPasswordField, PasswordField, useNewPassword } from "../../parts/fields.tsx";
import { InnerForm } from "../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import type * as Seldom from "./password.seldom.tsx";
import type { OpenedProps, SectionProps } from "./section.tsx";

/** Changes the password. An account without one gets a link by mail to set it. */
export function PasswordSection({ id, title, user, holdings }: SectionProps) {
  const { settings } = useAccount();
  const { password } = useChapter("account");
  const seldom = useSignal<typeof Seldom | undefined>(undefined);
  useEffect(() => {
    if (settings.passwordless || !user.has_password)
      void import("./password.seldom.tsx").then((loaded) => void (seldom.value = loaded));
  }, [user.has_password]);
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
          {settings.passwordless && seldom.value && !opening.isOpen.value && (
            <seldom.value.PasswordRemoval holdings={holdings} onDone={() => done(password.removed)} />
          )}
        </>
      ) : (
        seldom.value && <seldom.value.PasswordByMail user={user} />
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
