import { useSignal } from "@preact/signals";
import { useAccount, useChapter, type News } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Dialog, Outcome } from "../../parts/blocks.tsx";
import { Field } from "../../parts/fields.tsx";
import { Button, InnerForm } from "../../parts/form.tsx";
import { Leaving } from "../../parts/leaving.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import type { OrganizationProps } from "./team.ts";

/** The name, and the ways out: what can't be undone stands last. */
export function SettingsSection(props: OrganizationProps) {
  const { team, organization } = props;
  const { settings: say } = useChapter("organization");
  return (
    <Card id="settings" title={team.mayManage() ? say.title : say.titleOfMember} state={undefined}>
      {team.mayManage() && <Renaming {...props} />}
      <ul class="rows">
        <LeavingRow {...props} />
        {team.isOwner() && <DeletionRow {...{ team, organization }} />}
      </ul>
    </Card>
  );
}

/** Returns a function that leads to the account, which says what has happened. */
function useGoing({ organization: { name } }: OrganizationProps) {
  const { news, router } = useAccount();
  return (kind: News["kind"]): void => {
    news.value = { kind, name };
    router.replace("/account", {}, "#organizations");
  };
}

function Renaming({ team, organization }: OrganizationProps) {
  const { words, client } = useAccount();
  const { settings: say } = useChapter("organization");
  const opening = useOpening();
  const outcome = useSignal("");
  const form = useForm({
    id: "organization",
    fields: [{ name: "name", label: say.name }],
    send: (valueOf) => client.updateOrganization(team.id, { name: valueOf("name").trim() }),
    done(answer) {
      opening.close();
      outcome.value = say.renamed(answer.organization.name);
      team.organization.set(answer.organization);
    },
  });
  return (
    <>
      <OpeningForm opening={opening} label={say.rename} onOpen={() => void (outcome.value = "")}>
        <InnerForm form={form} submit={words.value.account.save} onCancel={opening.close}>
          <Field
            form={form}
            name="name"
            autocomplete="organization"
            maxLength={100}
            value={organization.name}
            isFirst
          />
        </InnerForm>
      </OpeningForm>
      <Outcome text={outcome.value} />
    </>
  );
}

function LeavingRow(props: OrganizationProps) {
  const { team, organization } = props;
  const say = useChapter("organization");
  const asked = useOpening();
  const go = useGoing(props);
  const isHeld = team.isOnlyOwner();
  return (
    <li>
      <div class="about">
        <p>
          <strong>{say.leave}</strong>
        </p>
        <p class="soft">{isHeld ? say.settings.onlyOwner : say.leaveMeans}</p>
      </div>
      {!isHeld && <Button onClick={asked.open}>{say.leave}</Button>}
      {asked.isOpen.value && <Leaving organization={organization} onLeft={() => go("left")} onClose={asked.close} />}
    </li>
  );
}

function DeletionRow(props: OrganizationProps) {
  const { settings: say } = useChapter("organization");
  const asked = useOpening();
  return (
    <li>
      <div class="about">
        <p>
          <strong>{say.remove}</strong>
        </p>
        <p class="soft">{say.removeMeans}</p>
      </div>
      <Button kind="danger" onClick={asked.open}>
        {say.remove}
      </Button>
      {asked.isOpen.value && <DeletionDialog {...props} onClose={asked.close} />}
    </li>
  );
}

/** How a name is compared with what was typed: nobody can see capitals, composition and spaces in the wrong place. */
const plainly = (name: string): string => name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

function DeletionDialog({ onClose, ...props }: OrganizationProps & { readonly onClose: () => void }) {
  const { words, client } = useAccount();
  const { settings: say } = useChapter("organization");
  const { team, organization } = props;
  const go = useGoing(props);
  const form = useForm({
    id: "deletion",
    fields: [
      {
        name: "typed",
        label: say.typed,
        judge: (value) => (plainly(value) === plainly(organization.name) ? undefined : say.notTyped),
      },
    ],
    send: () => client.deleteOrganization(team.id),
    done: () => go("removed"),
  });
  return (
    <Dialog title={say.removeTitle(organization.name)} onClose={onClose}>
      <ul class="consequences">
        {say.consequences(organization.members).map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      <InnerForm
        form={form}
        kind="danger"
        submit={say.removeSubmit}
        cancel={words.value.account.data.keep}
        onCancel={onClose}
      >
        <Field form={form} name="typed" autocomplete="off" hint={say.typedHint(organization.name)} isFirst />
      </InnerForm>
    </Dialog>
  );
}
