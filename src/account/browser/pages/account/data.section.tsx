import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import type { AccountExport, Client, Metadata, Result } from "../../../../client/index.ts";
import { saveAs } from "../../acts/copying.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Dialog, Outcome } from "../../parts/blocks.tsx";
import { PasswordField } from "../../parts/fields.tsx";
import { Button, Buttons, InnerForm, Refusal } from "../../parts/form.tsx";
import { useOpening } from "../../parts/opening.tsx";
import { useExtras } from "./extra.section.tsx";
import { type SectionProps } from "./section.tsx";

/** Shows and exports what is kept of the person. */
export const DataSection = ({ id, title }: SectionProps) => (
  <Card id={id} title={title} state={undefined}>
    <ul class="rows">
      <Export />
      <Kept />
    </ul>
  </Card>
);

/** Deletes the account. */
export function DeletionSection({ id, title, user, holdings }: SectionProps) {
  const { data } = useChapter("account");
  const asked = useOpening();
  return (
    <Card id={id} title={title} state={data.removeMeans}>
      <Button kind="danger" onClick={asked.open}>
        {data.remove}
      </Button>
      {asked.isOpen.value && <DeletionDialog user={user} holdings={holdings} onClose={asked.close} />}
    </Card>
  );
}

/** The most pages of an export, which cuts off a longer log: the server gives no more pages an hour. */
const mostPages = 50;

/** Resolves to everything that the service keeps of the person, in one document. The server gives the log in pages. */
async function exportAll(client: Client): Promise<Result<AccountExport>> {
  const first = await client.exportAccount();
  if (!first.ok) return first;
  const events = [...first.events];
  let { next } = first;
  for (let pages = 1; next !== null && pages < mostPages; pages += 1) {
    const more = await client.exportAccount({ events_before: next });
    if (!more.ok) return more;
    events.push(...more.events);
    ({ next } = more);
  }
  return { ...first, events, next };
}

function Export() {
  const { words, client } = useAccount();
  const { acts } = words.value;
  const { data } = useChapter("account");
  const { act, ...progress } = useActing();
  const outcome = useSignal("");
  const download = (): void => {
    outcome.value = "";
    void act(
      () => exportAll(client),
      (answer) => {
        const name = `account-${answer.exported_at.slice(0, 10)}.json`;
        saveAs(name, JSON.stringify({ ...answer, ok: undefined }, undefined, 2), "application/json");
        outcome.value = acts.exported({ name });
      },
    );
  };
  return (
    <li>
      <div class="about">
        <p>
          <strong>{data.export}</strong>
        </p>
        <p class="soft">{data.exportMeans}</p>
        <Refusal progress={progress} />
        <Outcome text={outcome.value} />
      </div>
      <Button progress={progress} onClick={download}>
        {acts.download}
      </Button>
    </li>
  );
}

/** Shows what apps keep on the account, once it is asked for: few people have any of it. */
function Kept() {
  const { client } = useAccount();
  const { data } = useChapter("account");
  const { act, ...progress } = useActing();
  const kept = useSignal<readonly (readonly [label: string, metadata: Metadata])[] | undefined>(undefined);
  const show = (): void =>
    void act(
      () => client.getMe(),
      ({ user: { app_metadata: byApps, user_metadata: own } }) => {
        const all = [[data.keptByApps, byApps] as const, [data.keptByYou, own] as const];
        kept.value = all.filter(([, metadata]) => Object.keys(metadata).length > 0);
      },
    );
  return (
    <li>
      <div class="about">
        <p>
          <strong>{data.kept}</strong>
        </p>
        <p class="soft">{data.keptMeans}</p>
        <Refusal progress={progress} />
        <Outcome text={kept.value?.length === 0 ? data.keptNothing : ""} />
        {kept.value?.map(([label, metadata]) => (
          <figure key={label} class="kept">
            <figcaption>{label}</figcaption>
            <pre>{JSON.stringify(metadata, undefined, 2)}</pre>
          </figure>
        ))}
      </div>
      {kept.value === undefined && (
        <Button progress={progress} onClick={show}>
          {data.keptShow}
        </Button>
      )}
    </li>
  );
}

interface DeletionProps extends Pick<SectionProps, "user" | "holdings"> {
  readonly onClose: () => void;
}

/** Asks once, and says what will happen. */
function DeletionDialog({ user, holdings, onClose }: DeletionProps) {
  const { data } = useChapter("account");
  const { settings } = useAccount();
  const extras = useExtras().value.value;
  const OwnersFirst = (settings.organizations && extras?.OwnersFirst) ?? Fragment;
  return (
    <Dialog title={data.removeTitle} onClose={onClose}>
      <OwnersFirst holdings={holdings} onClose={onClose}>
        <ul class="consequences">
          {Object.values(data.consequences).map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        {user.has_password ? <ByPassword onClose={onClose} /> : <ByProof onClose={onClose} />}
      </OwnersFirst>
    </Dialog>
  );
}

function ByPassword({ onClose }: Pick<DeletionProps, "onClose">) {
  const { words, client, session } = useAccount();
  const { data } = useChapter("account");
  const { acts } = words.value;
  const form = useForm({
    id: "deletion",
    fields: [{ name: "current_password", label: acts.currentPassword }],
    blame: { invalid_credentials: "current_password" },
    send: (valueOf) => client.deleteAccount({ current_password: valueOf("current_password") }),
    done: () => session.bid("deleted"),
  });
  return (
    <InnerForm form={form} kind="danger" submit={data.removeSubmit} cancel={acts.keep} onCancel={onClose}>
      <PasswordField form={form} name="current_password" />
    </InnerForm>
  );
}

/** Deletes an account without a password. A sign-in with a provider shortly before is the proof. */
function ByProof({ onClose }: Pick<DeletionProps, "onClose">) {
  const { words, client, session } = useAccount();
  const { data } = useChapter("account");
  const { act, ...progress } = useActing();
  const remove = (): void =>
    void act(
      () => client.deleteAccount({}),
      () => session.bid("deleted"),
    );
  return (
    <>
      <Refusal progress={progress} />
      <Buttons kind="danger" progress={progress} onClick={remove} cancel={words.value.acts.keep} onCancel={onClose}>
        {data.removeSubmit}
      </Buttons>
    </>
  );
}
