import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { OrganizationInvitation } from "../../../../client/index.ts";
import { rolesInWords } from "../../acts/roles.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Outcome, Dated } from "../../parts/blocks.tsx";
import { Field, Select } from "../../parts/fields.tsx";
import { Button, InnerForm, Refusal } from "../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import { Awaited } from "../account/section.tsx";
import { More } from "./more.tsx";
import { unlessGone, type TeamProps } from "./team.ts";

/** Who is invited and has not answered yet, and the form that invites. */
export function InvitationsSection({ team }: TeamProps) {
  const { invitations: say } = useChapter("organization");
  const outcome = useSignal("");
  const form = useOpening();
  const list = useRef<HTMLUListElement>(null);
  const { value: waiting } = team.invitations.value;
  useLayoutEffect(() => {
    // The focused button went with its row.
    if (document.activeElement === document.body) list.current?.focus();
  }, [waiting]);
  const invited = (one: OrganizationInvitation): void => {
    form.close();
    outcome.value = say.sent({ email: one.email });
    team.invited(one);
  };
  const withdrawn = (one: OrganizationInvitation): void => {
    outcome.value = say.withdrawn({ email: one.email });
    team.withdrawn(one);
  };
  const isAll = team.invitations.next.value === null;
  const stateOf = (count: number): string =>
    count === 0 ? say.stateNone : (isAll ? say.state : say.stateMore)({ count });
  return (
    <Card id="invitations" title={say.title} state={waiting && stateOf(waiting.length)}>
      <OpeningForm opening={form} label={say.invite} onOpen={() => void (outcome.value = "")}>
        <InvitingForm team={team} onInvited={invited} onCancel={form.close} />
      </OpeningForm>
      {waiting === undefined && <Awaited resource={team.invitations} />}
      {waiting !== undefined && waiting.length > 0 && (
        <ul class="rows" ref={list} tabIndex={-1}>
          {waiting.map((one) => (
            <InvitationRow key={one.id} team={team} one={one} onWithdrawn={() => withdrawn(one)} />
          ))}
        </ul>
      )}
      <More pages={team.invitations} />
      <Outcome text={outcome.value} />
    </Card>
  );
}

interface RowProps extends TeamProps {
  readonly one: OrganizationInvitation;
  readonly onWithdrawn: () => void;
}

function InvitationRow({ team, one, onWithdrawn }: RowProps) {
  const { client } = useAccount();
  const { invitations: say, roles } = useChapter("organization");
  const { act, ...progress } = useActing();
  const withdraw = async () =>
    unlessGone(
      await client.withdrawOrganizationInvitation(team.id, one.id),
      "invitation_withdrawn",
      "invitation_not_found",
    );
  return (
    <li>
      <div class="about">
        <p>
          <strong>
            <bdi>{one.email}</bdi>
          </strong>
        </p>
        <p class="soft">
          {rolesInWords(one.roles, roles)}
          {one.invited_by !== null && ` · ${say.by({ name: one.invited_by })}`}
        </p>
        <p class="soft">
          <Dated say={say.until} at={one.expires_at} isExact />
        </p>
        <Refusal progress={progress} />
      </div>
      {team.mayChange(one) && (
        <Button
          progress={progress}
          label={say.withdrawOf({ email: one.email })}
          onClick={() => void act(withdraw, onWithdrawn)}
        >
          {say.withdraw}
        </Button>
      )}
    </li>
  );
}

interface InvitingProps extends TeamProps {
  readonly onInvited: (one: OrganizationInvitation) => void;
  readonly onCancel: () => void;
}

function InvitingForm({ team, onInvited, onCancel }: InvitingProps) {
  const { client } = useAccount();
  const { invitations: say, roles } = useChapter("organization");
  const form = useForm({
    id: "invite",
    fields: [
      { name: "email", label: say.email, says: { member_exists: say.member, limit_reached: say.most } },
      { name: "role", label: say.role },
    ],
    blame: { member_exists: "email", limit_reached: "email", domain_not_allowed: "email" },
    send: (valueOf) => client.inviteMember(team.id, { email: valueOf("email").trim(), roles: [valueOf("role")] }),
    done: ({ invitation }) => onInvited(invitation),
  });
  return (
    <InnerForm form={form} submit={say.submit} onCancel={onCancel}>
      <Field form={form} name="email" type="email" autocomplete="off" isFirst />
      <Select
        form={form}
        name="role"
        value="member"
        options={team
          .gives()
          .map((rank) => ({ value: rank, label: roles[rank] }))
          .toReversed()}
      />
    </InnerForm>
  );
}
