import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import type { User } from "../../../../client/index.ts";
import { useActing } from "../../acts/acting.ts";
import { useAccount } from "../../context.ts";
import { createHoldings, type Holdings } from "../../acts/holdings.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { Awaited } from "./awaited.tsx";
import { ProofDialog } from "./proof.dialog.tsx";
import { sectionsOf } from "./sections.ts";

/** The account of the signed-in user. */
export function AccountPage() {
  const account = useAccount();
  const { words, session } = account;
  const holdings = useMemo(() => createHoldings(account), []);
  const user = session.user.value;

  useEffect(() => {
    holdings.load();
    return holdings.keepFresh();
  }, []);
  useLayoutEffect(() => {
    if (user !== undefined) arriveAtSection();
  }, [user === undefined]);

  return (
    <Page kind="account" title={words.value.titles["/account"]} aside={user && <SignOut />}>
      {user === undefined ? <Awaited resource={holdings.user} /> : <Sections holdings={holdings} user={user} />}
      <ProofDialog {...holdings} />
    </Page>
  );
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
  const { isBusy, act } = useActing();
  return (
    <Button
      isBusy={isBusy.value}
      onClick={() =>
        void act(
          () => client.logout(),
          () => {},
        )
      }
    >
      {words.value.account.signOut}
    </Button>
  );
}

interface SectionsProps {
  readonly holdings: Holdings;
  readonly user: User;
}

function Sections(props: SectionsProps) {
  const { words, settings } = useAccount();
  const { onThisPage, sections: titles } = words.value.account;
  const sections = sectionsOf(settings);
  return (
    <div class="sections">
      <nav aria-label={onThisPage}>
        {sections.map(({ id }) => (
          <a key={id} href={`#${id}`}>
            {titles[id]}
          </a>
        ))}
      </nav>
      <div class="column">
        {sections.map(({ id, Shown }) => (
          <Shown key={id} id={id} title={titles[id]} {...props} />
        ))}
      </div>
    </div>
  );
}
