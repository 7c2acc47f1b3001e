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
  const { team } = props;
  const say = useChapter("organization");
  const outcome = useSignal("");
  if (!team.mayManage())
    return (
      <Card id="settings" title={say.leave} state={say.leaveMeans}>
        <LeaveButton {...props} />
      </Card>
    );
  const isHeld = team.isOnlyOwner();
  return (
    <Card id="settings" title={say.settings.title} state={undefined}>
      <ul class="rows">
        <RenamingRow {...props} onOutcome={(text) => void (outcome.value = text)} />
        <li>
          <div class="about">
            <p>
              <strong>{say.leave}</strong>
            </p>
            <p class="soft">{isHeld ? say.settings.onlyOwner : say.leaveMeans}</p>
          </div>
          {!isHeld && <LeaveButton {...props} />}
        </li>
        {team.isOwner() && <DeletionRow {...props} />}
      </ul>
      <Outcome text={outcome.value} />
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

function RenamingRow({
  team,
  organization,
  onOutcome,
}: OrganizationProps & { readonly onOutcome: (text: string) => void }) {
  const { words, client } = useAccount();
  const { settings: say } = useChapter("organization");
  const opening = useOpening();
  const form = useForm({
    id: "organization",
    fields: [{ name: "name", label: say.name }],
    send: (valueOf) => client.updateOrganization(team.id, { name: valueOf("name").trim() }),
    done(answer) {
      opening.close();
      onOutcome(say.renamed({ name: answer.organization.name }));
      team.organization.set(answer.organization);
    },
  });
  const { name } = organization;
  const isOpen = opening.isOpen.value;
  return (
    <li>
      {!isOpen && (
        <div class="about">
          <p>
            <strong>{say.name}</strong>
          </p>
          <p class="soft">
            <bdi>{name}</bdi>
          </p>
        </div>
      )}
      <div class={isOpen ? "whole" : undefined}>
        <OpeningForm opening={opening} label={say.rename} onOpen={() => onOutcome("")}>
          <InnerForm form={form} submit={words.value.acts.save} onCancel={opening.close}>
            <Field form={form} name="name" autocomplete="organization" maxLength={100} value={name} isFirst />
          </InnerForm>
        </OpeningForm>
      </div>
    </li>
  );
}

function LeaveButton(props: OrganizationProps) {
  const { leave } = useChapter("organization");
  const asked = useOpening();
  const go = useGoing(props);
  return (
    <>
      <Button onClick={asked.open}>{leave}</Button>
      {asked.isOpen.value && (
        <Leaving organization={props.organization} onLeft={() => go("left")} onClose={asked.close} />
      )}
    </>
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
    <Dialog title={say.removeTitle({ name: organization.name })} onClose={onClose}>
      <ul class="consequences">
        <li>{say.consequences.members({ count: organization.members })}</li>
        <li>{say.consequences.invitations}</li>
        <li>{say.consequences.final}</li>
      </ul>
      <InnerForm form={form} kind="danger" submit={say.removeSubmit} cancel={words.value.acts.keep} onCancel={onClose}>
        <Field form={form} name="typed" autocomplete="off" hint={say.typedHint({ name: organization.name })} isFirst />
      </InnerForm>
    </Dialog>
  );
}
