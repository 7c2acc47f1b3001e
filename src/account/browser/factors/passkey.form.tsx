import type { FactorAnswer, PasskeyRequestOptions, Result } from "../../../client/index.ts";
import { getPasskey } from "../../../client/passkeys.ts";
import { useAccount } from "../context.ts";
import { Button } from "../parts/button.tsx";
import { PasskeyMark } from "../parts/marks/passkey.mark.tsx";
import { Notice } from "../parts/notice.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { useSending } from "../acts/sending.ts";
import { useWaiting } from "../acts/waiting.ts";

interface PasskeyFormProps {
  readonly submit: string;
  readonly getOptions: () => Promise<Result<{ passkey_options?: PasskeyRequestOptions }>>;
  readonly send: (answer: FactorAnswer) => Promise<Result>;
  readonly onCancel?: (() => void) | undefined;
}

/** Has the browser ask for a passkey. */
export function PasskeyForm({ submit, getOptions, send: verify, onCancel }: PasskeyFormProps) {
  const { account, factors } = useAccount().words.value;
  const { isBusy, refusal, send } = useSending(() => false);
  const waiting = useWaiting(refusal.value);
  const use = (): void =>
    void send(
      async () => {
        const asked = await getOptions();
        const given = asked.ok ? await getPasskey(asked.passkey_options) : asked;
        return given.ok ? verify({ method: "passkey", credential: given.credential }) : given;
      },
      () => {},
    );
  return (
    <>
      {refusal.value?.code === "invalid_code" ? (
        <Notice kind="danger">{factors.passkey.unknown}</Notice>
      ) : (
        <Refusal failure={refusal.value} waiting={waiting} />
      )}
      <div class="buttons">
        <Button kind="primary" isFirst isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={use}>
          <PasskeyMark />
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{account.cancel}</Button>}
      </div>
    </>
  );
}
