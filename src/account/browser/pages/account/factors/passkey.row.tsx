import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Passkey } from "../../../../../client/index.ts";
import { useAccount } from "../../../context.ts";
import { useForm } from "../../../form.ts";
import { Button } from "../../../parts/button.tsx";
import { Field } from "../../../parts/form/field.tsx";
import { Form } from "../../../parts/form/form.tsx";
import { FormButtons } from "../../../parts/form/form.buttons.tsx";
import { Refusal } from "../../../parts/form/refusal.tsx";
import { Time } from "../../../parts/time.tsx";
import { useWaiting } from "../../../acts/waiting.ts";
import type { OnChange } from "./part.tsx";
import { Question } from "./question.tsx";

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly isOnly: boolean;
  /** Whether the passkey was added just now: the row then asks for a name. */
  readonly isNew: boolean;
  readonly onChange: OnChange;
}

export function PasskeyRow({ passkey, isOnly, isNew, onChange }: PasskeyRowProps) {
  const { words, client, settings } = useAccount();
  const { passkeys: say, last } = words.value.factors.section;
  const isRenamed = useSignal(isNew);
  const isAsked = useSignal(false);
  const row = useRef<HTMLLIElement>(null);
  const wasRenamed = useRef(false);
  useLayoutEffect(() => {
    if (wasRenamed.current === isRenamed.value) return;
    wasRenamed.current = isRenamed.value;
    const first = row.current?.querySelector<HTMLElement>(isRenamed.value ? "input" : "button");
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  }, [isRenamed.value]);
  const { name, created_at: addedAt, last_used_at: usedAt, rp_id: domain } = passkey;
  return (
    <li ref={row}>
      {isRenamed.value ? (
        <NameForm passkey={passkey} onChange={onChange} onEnd={() => void (isRenamed.value = false)} />
      ) : (
        <>
          <div class="about">
            <p>
              <strong>
                <bdi>{name}</bdi>
              </strong>
            </p>
            <p class="soft">
              {say.since} <Time at={addedAt} />, {usedAt === null ? say.unused : <LastUse at={usedAt} />}
            </p>
            {domain !== settings.passkeyDomain && <p class="soft">{say.elsewhere(domain)}</p>}
          </div>
          <div class="buttons">
            <Button label={say.renameOf(name)} onClick={() => void (isRenamed.value = true)}>
              {say.rename}
            </Button>
            <Button label={say.removeOf(name)} onClick={() => void (isAsked.value = true)}>
              {say.remove}
            </Button>
          </div>
        </>
      )}
      {isAsked.value && (
        <Question
          title={say.removeTitle(name)}
          submit={say.remove}
          ask={() => client.removePasskey(passkey.id)}
          onDone={() => onChange(say.removed(name))}
          onClose={() => void (isAsked.value = false)}
        >
          <p>{say.removeMeans}</p>
          {isOnly && <p>{last}</p>}
        </Question>
      )}
    </li>
  );
}

function LastUse({ at }: { readonly at: string }) {
  const { passkeys: say } = useAccount().words.value.factors.section;
  return (
    <>
      {say.lastUsed} <Time at={at} />
    </>
  );
}

interface NameFormProps {
  readonly passkey: Passkey;
  readonly onChange: OnChange;
  readonly onEnd: () => void;
}

function NameForm({ passkey: { id, name }, onChange, onEnd }: NameFormProps) {
  const { words, client, proof } = useAccount();
  const { account, factors } = words.value;
  const { passkeys: say } = factors.section;
  const form = useForm({
    id: `passkey-${id}`,
    fields: [{ name: "name", label: say.name }],
    async send(valueOf) {
      const result = await proof.prove(() => client.renamePasskey(id, { name: valueOf("name").trim() }));
      if (result.ok) {
        onEnd();
        onChange(say.renamed(result.passkey.name));
      }
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Form state={form}>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Field form={form} name="name" label={say.name} autocomplete="off" value={name} maxLength={64} isFirst />
      <FormButtons form={form} label={account.save} waiting={waiting} onCancel={onEnd} />
    </Form>
  );
}
