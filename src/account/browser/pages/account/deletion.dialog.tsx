import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/acting.ts";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form/form.tsx";
import { FormButtons } from "../../parts/form/form.buttons.tsx";
import { PasswordField } from "../../parts/form/password.field.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { useWaiting } from "../../acts/waiting.ts";

interface DeletionDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** Asks once, and says what will happen. */
export function DeletionDialog({ user, onClose }: DeletionDialogProps) {
  const { data } = useAccount().words.value.account;
  return (
    <Dialog title={data.removeTitle} onClose={onClose}>
      <ul class="consequences">
        {data.consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      {user.has_password ? <ByPassword onClose={onClose} /> : <ByProof onClose={onClose} />}
    </Dialog>
  );
}

type Closing = Pick<DeletionDialogProps, "onClose">;

function ByPassword({ onClose }: Closing) {
  const { words, client, session } = useAccount();
  const { data, password } = words.value.account;
  const form = useForm({
    id: "deletion",
    fields: [{ name: "current_password", label: password.current }],
    blame: { invalid_credentials: "current_password" },
    async send(valueOf) {
      const result = await client.deleteAccount({ current_password: valueOf("current_password") });
      if (result.ok) session.bid("deleted");
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Form state={form}>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <PasswordField form={form} name="current_password" label={password.current} autocomplete="current-password" />
      <FormButtons
        form={form}
        kind="danger"
        label={data.removeSubmit}
        waiting={waiting}
        cancel={data.keep}
        onCancel={onClose}
      />
    </Form>
  );
}

/** Deletes an account without a password. A sign-in with a provider shortly before is the proof. */
function ByProof({ onClose }: Closing) {
  const { words, client, session } = useAccount();
  const { data } = words.value.account;
  const { isBusy, refusal, act } = useActing();
  const remove = (): void =>
    void act(
      () => client.deleteAccount({}),
      () => session.bid("deleted"),
    );
  return (
    <>
      <Refusal failure={refusal.value} />
      <div class="buttons">
        <Button kind="danger" isBusy={isBusy.value} onClick={remove}>
          {data.removeSubmit}
        </Button>
        <Button onClick={onClose}>{data.keep}</Button>
      </div>
    </>
  );
}
