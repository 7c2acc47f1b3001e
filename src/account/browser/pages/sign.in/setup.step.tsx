import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { TotpSetup } from "../../../../client/index.ts";
import { createHoldings } from "../../acts/holdings.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, type Account } from "../../context.ts";
import { useAddingPasskey, usePasskeySupport } from "../../factors/passkeys.tsx";
import { RecoveryCodes } from "../../factors/recovery.codes.tsx";
import { TotpSetupForm } from "../../factors/totp.setup.tsx";
import { Button, Refusal } from "../../parts/form.tsx";
import { PasskeyMark } from "../../parts/marks.tsx";
import { Page } from "../../parts/page.tsx";
import { ProofDialog } from "../account/proof.dialog.tsx";

type Stage =
  | { readonly name: "choosing" }
  | { readonly name: "app"; readonly setup: TotpSetup }
  | { readonly name: "codes"; readonly codes: readonly string[] };

/** Leads on a user who has nothing to set up, and leads a stranger to the sign-in. */
async function comeIn({ client, router, session }: Account): Promise<void> {
  const me = await client.getMe();
  if (me.ok) session.know(me.user);
  if (me.ok && !me.mfa_setup_required) router.goOn();
  else if (!me.ok && me.code === "unauthorized") router.toStep({});
}

/** Sets up a second step on the way in, where every account needs one and this one has none. */
export function SetupStep() {
  const account = useAccount();
  const { words, router } = account;
  const { setup: say } = words.value.factors;
  const holdings = useMemo(() => createHoldings(account), []);
  useEffect(() => void comeIn(account), []);
  const stage = useSignal<Stage>({ name: "choosing" });
  const codesMade = (codes: readonly string[]): void => void (stage.value = { name: "codes", codes });
  switch (stage.value.name) {
    case "choosing":
      return (
        <>
          <Choosing onApp={(setup) => void (stage.value = { name: "app", setup })} onCodes={codesMade} />
          <ProofDialog {...holdings} />
        </>
      );
    case "app":
      return (
        <Page key="app" title={say.title}>
          <TotpSetupForm
            setup={stage.value.setup}
            onDone={codesMade}
            onCancel={() => void (stage.value = { name: "choosing" })}
          />
        </Page>
      );
    case "codes":
      return (
        <Page key="codes" title={words.value.factors.section.codes.save}>
          <RecoveryCodes codes={stage.value.codes} done={say.goOn} onDone={() => router.goOn()} />
        </Page>
      );
  }
}

interface ChoosingProps {
  readonly onApp: (setup: TotpSetup) => void;
  readonly onCodes: (codes: readonly string[]) => void;
}

function Choosing({ onApp, onCodes }: ChoosingProps) {
  const { words, client, router, settings } = useAccount();
  const { factors, acts } = words.value;
  const canUsePasskeys = usePasskeySupport();
  const { act, isBusy, ...acting } = useActing();
  const codes = (): void => void act(client.renewRecoveryCodes, (answer) => onCodes(answer.recovery_codes));
  const passkey = useAddingPasskey(codes);
  const { refusal, waiting } = passkey.refusal.value === undefined ? acting : passkey;
  return (
    <Page title={factors.setup.title}>
      <p>{factors.setup.lead({ product: settings.product })}</p>
      <Refusal progress={{ refusal, waiting }} />
      <div class="stack">
        {canUsePasskeys && (
          <Button kind="primary" isFirst progress={{ ...passkey, waiting }} onClick={passkey.add}>
            <PasskeyMark />
            {factors.section.passkeys.add}
          </Button>
        )}
        <Button
          {...(!canUsePasskeys && { kind: "primary", isFirst: true })}
          progress={{ isBusy, waiting }}
          onClick={() => void act(client.setUpTotp, onApp)}
        >
          {factors.setup.app}
        </Button>
      </div>
      <div class="aside">
        <Button kind="link" onClick={() => void act(client.logout, () => router.toStep({}))}>
          {acts.signOut}
        </Button>
      </div>
    </Page>
  );
}
