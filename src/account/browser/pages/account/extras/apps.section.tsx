import { useSignal } from "@preact/signals";
import type { ConnectedApp, Failure, Result } from "../../../../../client/index.ts";
import { heldInWords } from "../../../../shared/apps.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { Card, Dated, Outcome } from "../../../parts/blocks.tsx";
import { Button } from "../../../parts/form.tsx";
import { useOpening } from "../../../parts/opening.tsx";
import { Awaited, Question, type SectionProps } from "../section.tsx";

/** The programs that the person has signed in to by this account. */
export function AppsSection({ id, title, holdings }: SectionProps) {
  const { apps: say } = useChapter("account");
  const outcome = useSignal("");
  const apps = holdings.apps.value.value;
  const ended = ({ client }: ConnectedApp): void => {
    outcome.value = say.ended({ name: client.name });
    holdings.apps.set((apps ?? []).filter((app) => app.client.id !== client.id));
  };
  return (
    <Card id={id} title={title} state={apps && (apps.length === 0 ? say.stateNone : say.state({ count: apps.length }))}>
      {apps === undefined && <Awaited resource={holdings.apps} />}
      {apps !== undefined && apps.length > 0 && (
        <ul class="rows">
          {apps.map((app) => (
            <AppRow key={app.client.id} app={app} onEnded={() => ended(app)} />
          ))}
        </ul>
      )}
      <Outcome text={outcome.value} />
    </Card>
  );
}

/** Counts an app whose hold has ended meanwhile as success. */
const unlessGone = (result: Result): { ok: true } | Failure =>
  !result.ok && result.code !== "client_not_found" ? result : { ok: true };

function AppRow({ app, onEnded }: { readonly app: ConnectedApp; readonly onEnded: () => void }) {
  const { words, client } = useAccount();
  const { apps: say } = useChapter("account");
  const {
    acts: { cancel },
    tag,
  } = words.value;
  const { id, name } = app.client;
  const asked = useOpening();
  return (
    <li>
      <div class="about">
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>
        </p>
        <p>{heldInWords(app, say, tag)}</p>
        <p class="soft">
          <Dated say={say.since} at={app.granted_at} />
          {" · "}
          {app.last_used_at === null ? say.signedOut : <Dated say={say.lastUsed} at={app.last_used_at} />}
        </p>
      </div>
      <Button label={say.endOf({ name })} onClick={asked.open}>
        {say.end}
      </Button>
      {asked.isOpen.value && (
        <Question
          title={say.endTitle({ name })}
          submit={say.end}
          cancel={cancel}
          ask={async () => unlessGone(await client.revokeApp({ client_id: id }))}
          onDone={onEnded}
          onClose={asked.close}
        >
          <p>{say.endMeans}</p>
        </Question>
      )}
    </li>
  );
}
