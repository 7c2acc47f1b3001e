import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Passkey } from "../../../../../client/index.ts";
import { canUsePasskeys } from "../../../../../client/passkeys.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { useAddingPasskey, usePasskeySupport } from "../../../factors/passkeys.tsx";
import { useForm } from "../../../form.ts";
import { Dated } from "../../../parts/blocks.tsx";
import { Field } from "../../../parts/fields.tsx";
import { Button, InnerForm, Refusal } from "../../../parts/form.tsx";
import { useOpening } from "../../../parts/opening.tsx";
import { PasskeyMark } from "../../../parts/marks.tsx";
import { Question } from "../section.tsx";
import { Part, type OnChange } from "./parts.tsx";

interface PasskeysPartProps {
  readonly passkeys: readonly Passkey[];
  /** Whether the account has only one second factor. */
  readonly isOnly: boolean;
  readonly onChange: OnChange;
}

/** Lists the passkeys and adds one. The page asks for the name of a new passkey afterwards, and keeps the passkey even without one. */
export function PasskeysPart({ passkeys, isOnly, onChange }: PasskeysPartProps) {
  const account = useAccount();
  const { words, settings, session } = account;
  const { passkeys: say } = words.value.factors.section;
  const added = useSignal<string | undefined>(undefined);
  const { add, ...progress } = useAddingPasskey((passkey) => {
    added.value = passkey.id;
    onChange(say.added({ name: passkey.name }));
  });
  const isSupported = usePasskeySupport();
  const wasOffered = useRef(false);
  useEffect(() => {
    const isOffered = isSupported && !wasOffered.current && (isOnly || passkeys.length > 0);
    wasOffered.current = true;
    void import("../../../factors/passkey.upkeep.ts").then(async (it) => {
      await it.tellDevices(account, passkeys, progress.isBusy);
      // An account without a second factor would get one that nobody has asked for.
      if (isOffered && (await it.offer(account, progress.isBusy))) onChange("");
    });
  }, [passkeys, session.user.value]);
  return (
    <Part id="factors-passkeys" title={say.title} about={say.about}>
      {isSupported ? (
        <Button progress={progress} onClick={add}>
          <PasskeyMark />
          {say.add}
        </Button>
      ) : (
        <p class="soft">{canUsePasskeys() ? say.openThere({ domain: settings.passkeyDomain }) : say.unsupported}</p>
      )}
      <Refusal progress={progress} />
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isOnly={isOnly}
              isNew={passkey.id === added.value}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
    </Part>
  );
}

interface PasskeyRowProps extends Omit<PasskeysPartProps, "passkeys"> {
  readonly passkey: Passkey;
  /** Whether the passkey was added just now: the row then asks for a name. */
  readonly isNew: boolean;
}

function PasskeyRow({ passkey, isOnly, isNew, onChange }: PasskeyRowProps) {
  const { words, client, settings } = useAccount();
  const { passkeys: say, last } = words.value.factors.section;
  const { identities } = useChapter("account");
  const isRenamed = useSignal(isNew);
  const asked = useOpening();
  const row = useRef<HTMLLIElement>(null);
  const wasRenamed = useRef(false);
  useLayoutEffect(() => {
    if (wasRenamed.current === isRenamed.value) return;
    wasRenamed.current = isRenamed.value;
    const first = row.current?.querySelector<HTMLElement>(isRenamed.value ? "input" : "button");
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  }, [isRenamed.value]);
  const { id, name, created_at: addedAt, last_used_at: usedAt, rp_id: domain } = passkey;
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
              <Dated say={say.since} at={addedAt} />
              {" · "}
              {usedAt === null ? say.unused : <Dated say={identities.lastUsed} at={usedAt} />}
            </p>
            {domain !== settings.passkeyDomain && <p class="soft">{say.elsewhere({ domain })}</p>}
          </div>
          <div class="buttons">
            <Button label={say.renameOf({ name })} onClick={() => void (isRenamed.value = true)}>
              {say.rename}
            </Button>
            <Button label={say.removeOf({ name })} onClick={asked.open}>
              {say.remove}
            </Button>
          </div>
        </>
      )}
      {asked.isOpen.value && (
        <Question
          title={say.removeTitle({ name })}
          submit={say.remove}
          cancel={words.value.acts.keep}
          ask={() => client.removePasskey(id)}
          onDone={() => onChange(say.removed({ name }))}
          onClose={asked.close}
        >
          <p>{say.removeMeans}</p>
          {isOnly && <p>{last}</p>}
        </Question>
      )}
    </li>
  );
}

interface NameFormProps extends Pick<PasskeyRowProps, "passkey" | "onChange"> {
  readonly onEnd: () => void;
}

function NameForm({ passkey: { id, name }, onChange, onEnd }: NameFormProps) {
  const { words, client, proof } = useAccount();
  const { acts, factors } = words.value;
  const { passkeys: say } = factors.section;
  const form = useForm({
    id: `passkey-${id}`,
    fields: [{ name: "name", label: say.name }],
    send: (valueOf) => proof.prove(() => client.renamePasskey(id, { name: valueOf("name").trim() })),
    done({ passkey }) {
      onEnd();
      onChange(say.renamed({ name: passkey.name }));
    },
  });
  return (
    <InnerForm form={form} submit={acts.save} onCancel={onEnd}>
      <Field form={form} name="name" autocomplete="off" value={name} maxLength={64} isFirst />
    </InnerForm>
  );
}
