// oxlint-disable-next-line import/no-unassigned-import -- what pages of a person share becomes one file
import "../../personal.ts";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Settings } from "../../../shared/settings.ts";
import type { Chapters } from "../../../shared/words.ts";
import { createHoldings, keepFresh, type Holdings } from "../../acts/holdings.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Button } from "../../parts/form.tsx";
import { Contents } from "../../parts/contents.tsx";
import { Page } from "../../parts/page.tsx";
import { AddressSection } from "./address.section.tsx";
import { DataSection, DeletionSection } from "./data.section.tsx";
import { createExtras, extraSection, ExtrasContext } from "./extra.section.tsx";
import { FactorsSection } from "./factors/section.tsx";
import { IdentitiesSection } from "./identities.section.tsx";
import { PasswordSection } from "./password.section.tsx";
import { ProfileSection } from "./profile.section.tsx";
import { ProofDialog } from "./proof.dialog.tsx";
import { Awaited, type SectionProps } from "./section.tsx";
import { TermsNotice } from "./terms.notice.tsx";
import { SessionsSection } from "./sessions.section.tsx";

interface Section {
  /** The fragment of an address that leads to the section. */
  readonly id: keyof Chapters["account"]["sections"];
  readonly Shown: (props: SectionProps) => JSX.Element;
  /** Whether the page has the section. Default: always. Once there, it stays. */
  readonly isThere?: (settings: Settings, holdings: Holdings) => boolean;
}

/** Most people have no apps, and are not told of any. */
const hasApps = ({ apps: areOn }: Settings, { apps }: Holdings): boolean =>
  areOn && (apps.hasFailed.value || (apps.value.value ?? []).length > 0);

/** Nobody is told of organizations who is in none, and may make none. */
const hasOrganizations = (
  { organizations: on }: Settings,
  { organizations: { hasFailed, value } }: Holdings,
): boolean => on !== undefined && (on.anyoneMakes || hasFailed.value || (value.value ?? []).length > 0);

/** The provider of an organization is there for whom it is linked to. */
const hasProviders = ({ providers }: Settings, { identities: { value } }: Holdings): boolean =>
  providers.length > 0 || (value.value ?? []).length > 0;

/** The sections of the account page in their order, by what belongs together: the person, the ways in, what acts for them, the end. */
const groups: readonly (readonly Section[])[] = [
  [
    { id: "profile", Shown: ProfileSection },
    { id: "email", Shown: AddressSection },
  ],
  [
    { id: "password", Shown: PasswordSection },
    { id: "factors", Shown: FactorsSection },
    { id: "identities", Shown: IdentitiesSection, isThere: hasProviders },
  ],
  [
    { id: "sessions", Shown: SessionsSection },
    { id: "organizations", Shown: extraSection("OrganizationsSection"), isThere: hasOrganizations },
    { id: "apps", Shown: extraSection("AppsSection"), isThere: hasApps },
    { id: "tokens", Shown: extraSection("TokensSection"), isThere: ({ personalTokens }) => personalTokens },
    { id: "data", Shown: DataSection },
  ],
  [{ id: "deletion", Shown: DeletionSection }],
];

/** The account of the signed-in user. */
export function AccountPage() {
  const account = useAccount();
  const { words, session, settings } = account;
  const holdings = useMemo(() => createHoldings(account), []);
  const user = session.user.value;

  const extras = useMemo(() => createExtras(account), []);
  useEffect(() => {
    if (extras.areThere) void extras.load();
    return keepFresh(holdings.load);
  }, []);
  const awaited = awaitedBy(location.hash, settings, extras, holdings);
  const canArrive = user !== undefined && awaited.every(({ value }) => value.value !== undefined);
  useLayoutEffect(() => {
    if (canArrive) arriveAtSection();
  }, [canArrive]);

  return (
    <Page kind="account" title={words.value.titles.account} aside={user && <SignOut />}>
      <ExtrasContext.Provider value={extras}>
        {user === undefined ? <Awaited resource={holdings.user} /> : <Sections holdings={holdings} user={user} />}
      </ExtrasContext.Provider>
      <ProofDialog {...holdings} />
    </Page>
  );
}

/** Returns what has to be there before the page has the section of the address. */
function awaitedBy(
  hash: string,
  settings: Settings,
  extras: ReturnType<typeof createExtras>,
  { apps, identities, organizations }: Holdings,
) {
  if (hash === "#identities") return [identities];
  if (hash === "#apps" && settings.apps) return [apps, extras];
  if (hash === "#tokens" && settings.personalTokens) return [extras];
  return hash === "#organizations" && settings.organizations !== undefined ? [organizations, extras] : [];
}

/** Shows the section of the address: the browser looked for it before the page had any sections. */
function arriveAtSection(): void {
  const section = location.hash === "" ? null : document.getElementById(location.hash.slice(1));
  if (section === null) return;
  section.scrollIntoView();
  const first = section.querySelector<HTMLElement>("[data-first]") ?? section.querySelector("h2");
  first?.focus({ preventScroll: true });
}

function SignOut() {
  const { words, client } = useAccount();
  const { act, ...progress } = useActing();
  return (
    <Button progress={progress} onClick={() => void act(client.logout)}>
      {words.value.acts.signOut}
    </Button>
  );
}

function Sections(props: Pick<SectionProps, "holdings" | "user">) {
  const { words, settings } = useAccount();
  const { sections: titles } = useChapter("account");
  const { onThisPage } = words.value.acts;
  const shown = useRef(new Set<string>()).current;
  const isShown = ({ id, isThere }: Section): boolean => shown.has(id) || (isThere?.(settings, props.holdings) ?? true);
  const parts = groups.map((sections) => sections.filter(isShown)).filter((sections) => sections.length > 0);
  for (const { id } of parts.flat()) shown.add(id);
  return (
    <div class="sections">
      <Contents label={onThisPage} sections={parts.flat().map(({ id }) => [id, titles[id]])} />
      <div class="column">
        {settings.terms.version !== undefined && <TermsNotice {...props} />}
        {parts.map((sections) => (
          <div class="group card" key={sections[0]?.id}>
            {sections.map(({ id, Shown }) => (
              <Shown key={id} id={id} title={titles[id]} {...props} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
