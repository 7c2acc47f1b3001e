import { useSignal } from "@preact/signals";
import type { PersonalToken } from "../../../../../client/index.ts";
import { useCopying } from "../../../acts/copying.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { useForm } from "../../../form.ts";
import { Card, Dated, Outcome } from "../../../parts/blocks.tsx";
import { Field, Select } from "../../../parts/fields.tsx";
import { Button, InnerForm } from "../../../parts/form.tsx";
import { useOpening } from "../../../parts/opening.tsx";
import { Awaited, Question, type SectionProps } from "../section.tsx";

const day = 86_400;
/** The lifetimes that the page offers, in days. */
const lifetimes = [30, 90, 365] as const;

interface Made {
  readonly token: string;
  readonly personal_token: PersonalToken;
}

/** The tokens for scripts of one's own. A new one is shown once. */
export function TokensSection({ id, title, holdings }: SectionProps) {
  const { tokens: say } = useChapter("account");
  const tokens = holdings.tokens.value.value;
  return (
    <Card
      id={id}
      title={title}
      state={tokens && (tokens.length === 0 ? say.stateNone : say.state({ count: tokens.length }))}
    >
      {tokens === undefined ? (
        <Awaited resource={holdings.tokens} />
      ) : (
        <Tokens tokens={tokens} onChange={holdings.tokens.set} />
      )}
    </Card>
  );
}

interface TokensProps {
  readonly tokens: readonly PersonalToken[];
  readonly onChange: (tokens: readonly PersonalToken[]) => void;
}

function Tokens({ tokens, onChange }: TokensProps) {
  const { tokens: say } = useChapter("account");
  const made = useSignal<Made | undefined>(undefined);
  const outcome = useSignal("");
  const form = useOpening();
  const added = (one: Made): void => {
    form.close();
    outcome.value = "";
    made.value = one;
    onChange([one.personal_token, ...tokens]);
  };
  const revoked = ({ id, name }: PersonalToken): void => {
    outcome.value = say.revoked({ name });
    if (made.value?.personal_token.id === id) made.value = undefined;
    onChange(tokens.filter((token) => token.id !== id));
  };
  return (
    <>
      {!form.isOpen.value && made.value === undefined && <Button onClick={form.open}>{say.make}</Button>}
      {made.value !== undefined && <Shown made={made.value} onDone={() => void (made.value = undefined)} />}
      {tokens.length > 0 && (
        <ul class="rows">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoked={() => revoked(token)} />
          ))}
        </ul>
      )}
      <Outcome text={outcome.value} />
      {form.isOpen.value && <NewTokenForm onMade={added} onCancel={form.close} />}
    </>
  );
}

/** Shows a new token: no later page does. */
function Shown({ made, onDone }: { readonly made: Made; readonly onDone: () => void }) {
  const { tokens: say } = useChapter("account");
  const { isPossible, outcome, copy } = useCopying();
  return (
    <div class="setup">
      <p role="status">{say.shown({ name: made.personal_token.name })}</p>
      <pre class="token">{made.token}</pre>
      <Outcome text={outcome.value} />
      <div class="buttons">
        {isPossible && <Button onClick={() => copy(made.token, say.copied)}>{say.copy}</Button>}
        <Button onClick={onDone}>{say.kept}</Button>
      </div>
    </div>
  );
}

function TokenRow({ token, onRevoked }: { readonly token: PersonalToken; readonly onRevoked: () => void }) {
  const { words, client } = useAccount();
  const { tokens: say } = useChapter("account");
  const { cancel } = words.value.acts;
  const { id, name, created_at: since, last_used_at: used, expires_at: until } = token;
  const asked = useOpening();
  return (
    <li>
      <div class="about">
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>
        </p>
        <p class="soft">
          <Dated say={say.since} at={since} />
          {" · "}
          {used === null ? say.unused : <Dated say={say.used} at={used} />}
        </p>
        <p class="soft">
          <Dated say={say.until} at={until} isExact />
        </p>
      </div>
      <Button label={say.revokeOf({ name })} onClick={asked.open}>
        {say.revoke}
      </Button>
      {asked.isOpen.value && (
        <Question
          title={say.revokeTitle({ name })}
          submit={say.revoke}
          cancel={cancel}
          ask={() => client.revokePersonalToken(id)}
          onDone={onRevoked}
          onClose={asked.close}
        >
          <p>{say.revokeMeans}</p>
        </Question>
      )}
    </li>
  );
}

function NewTokenForm({ onMade, onCancel }: { readonly onMade: (made: Made) => void; readonly onCancel: () => void }) {
  const { client, proof } = useAccount();
  const { tokens: say } = useChapter("account");
  const form = useForm({
    id: "token",
    fields: [
      { name: "name", label: say.name },
      { name: "days", label: say.lifetime },
    ],
    send: (valueOf) =>
      proof.prove(() =>
        client.createPersonalToken({ name: valueOf("name").trim(), expires_in: Number(valueOf("days")) * day }),
      ),
    done: onMade,
  });
  return (
    <InnerForm form={form} submit={say.makeSubmit} onCancel={onCancel}>
      <Field form={form} name="name" autocomplete="off" maxLength={64} hint={say.nameHint} isFirst />
      <Select
        form={form}
        name="days"
        value="90"
        options={lifetimes.map((days) => ({
          value: String(days),
          label: days === 365 ? say.year : say.days({ count: days }),
        }))}
      />
    </InnerForm>
  );
}
