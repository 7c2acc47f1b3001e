import { useSignal } from "@preact/signals";
import { useActing } from "../../acts/acting.ts";
import { useAccount } from "../../context.ts";
import { exportAll, saveAs } from "../../acts/exporting.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Outcome } from "../../parts/outcome.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { useWaiting } from "../../acts/waiting.ts";
import { DeletionDialog } from "./deletion.dialog.tsx";
import type { SectionProps } from "./section.props.ts";

/** Exports the account's data, and deletes the account. */
export function DataSection({ id, title, user }: SectionProps) {
  const { data } = useAccount().words.value.account;
  const isAsked = useSignal(false);
  return (
    <Card id={id} title={title} state={data.state}>
      <ul class="rows">
        <Export />
        <li>
          <div class="about">
            <p>
              <strong>{data.remove}</strong>
            </p>
            <p class="soft">{data.removeMeans}</p>
          </div>
          <Button kind="danger" onClick={() => void (isAsked.value = true)}>
            {data.remove}
          </Button>
        </li>
      </ul>
      {isAsked.value && <DeletionDialog user={user} onClose={() => void (isAsked.value = false)} />}
    </Card>
  );
}

function Export() {
  const { words, client } = useAccount();
  const { data } = words.value.account;
  const { isBusy, refusal, act } = useActing();
  const waiting = useWaiting(refusal.value);
  const outcome = useSignal("");
  const download = (): void => {
    outcome.value = "";
    void act(
      () => exportAll(client),
      (answer) => {
        const name = `account-${answer.exported_at.slice(0, 10)}.json`;
        saveAs(name, JSON.stringify({ ...answer, ok: undefined }, undefined, 2), "application/json");
        outcome.value = data.exported(name);
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
        <Refusal failure={refusal.value} waiting={waiting} />
        <Outcome text={outcome.value} />
      </div>
      <Button isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={download}>
        {data.download}
      </Button>
    </li>
  );
}
