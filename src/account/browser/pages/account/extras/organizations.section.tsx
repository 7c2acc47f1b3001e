import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { OwnOrganization } from "../../../../../client/index.ts";
import { rolesInWords } from "../../../acts/roles.ts";
import { useActing } from "../../../acts/sending.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { useForm } from "../../../form.ts";
import { Card, Outcome } from "../../../parts/blocks.tsx";
import { Field } from "../../../parts/fields.tsx";
import { Button, InnerForm, Refusal } from "../../../parts/form.tsx";
import { Leaving } from "../../../parts/leaving.tsx";
import { OpeningForm, useOpening } from "../../../parts/opening.tsx";
import { Awaited, type SectionProps } from "../section.tsx";

/** The organizations of the person, and the one that this session acts for. */
export function OrganizationsSection({ id, title, holdings }: SectionProps) {
  const { list: say } = useChapter("organization");
  const all = holdings.organizations.value.value;
  const active = all?.find((each) => each.active);
  const state =
    all && all.length > 0 && (active === undefined ? say.actsForYourself : say.actsFor({ name: active.name }));
  return (
    <Card
      id={id}
      title={title}
      state={all && `${all.length === 0 ? say.stateNone : say.state({ count: all.length })} ${state || ""}`}
    >
      {all === undefined ? (
        <Awaited resource={holdings.organizations} />
      ) : (
        <List all={all} onChange={holdings.organizations.set} />
      )}
    </Card>
  );
}

interface ListProps {
  readonly all: readonly OwnOrganization[];
  readonly onChange: (all: readonly OwnOrganization[]) => void;
}

function List({ all, onChange }: ListProps) {
  const { settings } = useAccount();
  const { list: say } = useChapter("organization");
  const outcome = useSignal(useNews());
  const form = useOpening();
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    // The focused button went with its row.
    if (document.activeElement === document.body) list.current?.focus();
  }, [all]);
  const made = (organization: OwnOrganization): void => {
    form.close();
    outcome.value = say.made({ name: organization.name });
    onChange([...all, organization]);
  };
  const left = ({ id, name }: OwnOrganization): void => {
    outcome.value = say.left({ name });
    onChange(all.filter((each) => each.id !== id));
  };
  const switched = (to: string | null): void => {
    outcome.value = "";
    onChange(all.map((each) => ({ ...each, active: each.id === to })));
  };
  return (
    <>
      {settings.organizations?.anyoneMakes === true && (
        <OpeningForm opening={form} label={say.make} onOpen={() => void (outcome.value = "")}>
          <MakingForm onMade={made} onCancel={form.close} />
        </OpeningForm>
      )}
      {all.length > 0 && (
        <ul class="rows" ref={list} tabIndex={-1}>
          {all.map((each) => (
            <Row key={each.id} organization={each} onSwitched={() => switched(each.id)} onLeft={() => left(each)} />
          ))}
        </ul>
      )}
      <Outcome text={outcome.value} />
      {!form.isOpen.value && all.some(({ active }) => active) && <Yourself onSwitched={() => switched(null)} />}
    </>
  );
}

/** Tells what has led to this page, once. */
function useNews(): string {
  const { news } = useAccount();
  const { list } = useChapter("organization");
  const told = useRef(news.value).current;
  useLayoutEffect(() => void (news.value = undefined), []);
  return told === undefined ? "" : list[told.kind]({ name: told.name });
}

interface RowProps {
  readonly organization: OwnOrganization;
  readonly onSwitched: () => void;
  readonly onLeft: () => void;
}

function Row({ organization, onSwitched, onLeft }: RowProps) {
  const { client, router } = useAccount();
  const say = useChapter("organization");
  const { act, ...progress } = useActing();
  const asked = useOpening();
  const { id, name, roles, active, members } = organization;
  return (
    <li>
      <div class="about">
        <p>
          <strong>
            <a href={router.href("/account/organization", { id })}>
              <bdi>{name}</bdi>
            </a>
          </strong>{" "}
          {active && <span class="tag good">{say.list.active}</span>}
        </p>
        <p class="soft">{rolesInWords(roles, say.roles)}</p>
        <Refusal progress={progress} />
      </div>
      <div class="buttons">
        {!active && (
          <Button
            progress={progress}
            label={say.list.switchTo({ name })}
            onClick={() => void act(() => client.switchOrganization({ id }), onSwitched)}
          >
            {say.list.switch}
          </Button>
        )}
        {/* The only member owns it, and can only delete it. */}
        {members > 1 && (
          <Button label={say.leaveOf({ name })} onClick={asked.open}>
            {say.leave}
          </Button>
        )}
      </div>
      {asked.isOpen.value && <Leaving organization={organization} onLeft={onLeft} onClose={asked.close} />}
    </li>
  );
}

/** Has the session act for no organization. */
function Yourself({ onSwitched }: { readonly onSwitched: () => void }) {
  const { client } = useAccount();
  const { act, ...progress } = useActing();
  return (
    <div class="buttons">
      <Refusal progress={progress} />
      <Button progress={progress} onClick={() => void act(() => client.switchOrganization({ id: null }), onSwitched)}>
        {useChapter("organization").list.yourself}
      </Button>
    </div>
  );
}

interface MakingProps {
  readonly onMade: (organization: OwnOrganization) => void;
  readonly onCancel: () => void;
}

function MakingForm({ onMade, onCancel }: MakingProps) {
  const { client } = useAccount();
  const { list: say } = useChapter("organization");
  const form = useForm({
    id: "organization",
    fields: [{ name: "name", label: say.name, says: { limit_reached: say.most } }],
    blame: { limit_reached: "name" },
    send: (valueOf) => client.createOrganization({ name: valueOf("name").trim() }),
    done: ({ organization }) => onMade(organization),
  });
  return (
    <InnerForm form={form} submit={say.makeSubmit} onCancel={onCancel}>
      <Field form={form} name="name" autocomplete="organization" maxLength={100} hint={say.nameHint} isFirst />
    </InnerForm>
  );
}
