// oxlint-disable-next-line import/no-unassigned-import -- what pages of a person share becomes one file
import "../../personal.ts";
import { useEffect, useMemo } from "preact/hooks";
import { createHoldings, keepFresh, type Holdings } from "../../acts/holdings.ts";
import { rolesInWords } from "../../acts/roles.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Button, Refusal } from "../../parts/form.tsx";
import { LeadOn, Page } from "../../parts/page.tsx";
import { Awaited } from "../account/section.tsx";
import { InvitationsSection } from "./invitations.section.tsx";
import { MembersSection } from "./members.section.tsx";
import { SettingsSection } from "./settings.section.tsx";
import { LoadedWays } from "./ways.section.tsx";
import { createTeam, type OrganizationProps } from "./team.ts";
import { Contents } from "../../parts/contents.tsx";

/** One organization of the signed-in user: who is in it, and what the user may do there. */
export function OrganizationPage() {
  const { router } = useAccount();
  const id = router.place.value.query.get("id") ?? "";
  return <Loading key={id} id={id} />;
}

function Loading({ id }: { readonly id: string }) {
  const account = useAccount();
  const { router, session, words } = account;
  const { missing } = useChapter("organization");
  const { user } = useMemo((): Pick<Holdings, "user"> => createHoldings(account), []);
  const team = useMemo(() => createTeam(account, id), []);
  useEffect(
    () =>
      keepFresh(() => {
        void user.load();
        void team.load();
      }),
    [],
  );
  const toAccount = `${router.href("/account")}#organizations`;
  if (team.isMissing.value)
    return <LeadOn title={missing.title} reason={missing.lead} way={{ href: toAccount, label: missing.way }} />;
  const organization = session.user.value && team.organization.value.value;
  const back = <a href={toAccount}>{words.value.titles.account}</a>;
  if (organization === undefined)
    return (
      <Page key="loading" kind="account" title={words.value.titles.organization} aside={back}>
        <Awaited resource={user.hasFailed.value ? user : team.organization} />
      </Page>
    );
  return (
    <Page key="loaded" kind="account" title={organization.name} aside={back}>
      <Standing {...{ team, organization }} />
      <Sections {...{ team, organization }} />
    </Page>
  );
}

/** What the reader is here, and whether the session acts for the organization. */
function Standing({ team, organization }: OrganizationProps) {
  const { client } = useAccount();
  const say = useChapter("organization");
  const { act, ...progress } = useActing();
  const { id, roles, active } = organization;
  const go = (): void =>
    void act(
      () => client.switchOrganization({ id }),
      () => team.organization.set({ ...organization, active: true }),
    );
  return (
    <>
      <div class="standing">
        <p>{say.yourRole({ roles: rolesInWords(roles, say.roles) })}</p>
        {active ? (
          <span class="tag good">{say.list.active}</span>
        ) : (
          <Button progress={progress} onClick={go}>
            {say.switchHere}
          </Button>
        )}
      </div>
      <Refusal progress={progress} />
    </>
  );
}

function Sections(props: OrganizationProps) {
  const { words } = useAccount();
  const { members, invitations, ways, settings, leave } = useChapter("organization");
  const mayManage = props.team.mayManage();
  const titles = [
    ["members", members.title],
    ...(mayManage
      ? ([
          ["invitations", invitations.title],
          ["domains", ways.domains],
        ] as const)
      : []),
    ...(props.team.isOwner() ? [["sign-in", ways.signIn] as const] : []),
    ["settings", mayManage ? settings.title : leave],
  ] as const;
  return (
    <div class="sections">
      <Contents label={words.value.acts.onThisPage} sections={titles} />
      <div class="column">
        <div class="group card">
          <MembersSection {...props} />
          {mayManage && <InvitationsSection {...props} />}
          {mayManage && <LoadedWays {...props} />}
        </div>
        <div class="group card">
          <SettingsSection {...props} />
        </div>
      </div>
    </div>
  );
}
