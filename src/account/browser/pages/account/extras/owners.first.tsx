import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { OwnOrganization } from "../../../../../client/index.ts";
import type { Holdings } from "../../../acts/holdings.ts";
import { rankOf } from "../../../acts/roles.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { Notice, Skeleton } from "../../../parts/blocks.tsx";
import { Button } from "../../../parts/form.tsx";

/** How many organizations, and how many members of each, are looked at. Where there are more, the service alone knows, and refuses. */
const [mostOrganizations, mostMembers] = [20, 200];

interface OwnersFirstProps {
  readonly holdings: Pick<Holdings, "organizations">;
  readonly onClose: () => void;
  /** The form by which an account is deleted. */
  readonly children: ComponentChildren;
}

/** Names the organizations that need another owner before their only one can delete the account; shows the form where there are none. */
export function OwnersFirst({ holdings, onClose, children }: OwnersFirstProps) {
  const { client, router, session, words } = useAccount();
  const { ownersFirst } = useChapter("organization");
  const owned = (holdings.organizations.value.value ?? []).filter(({ roles }) => rankOf(roles) === "owner");
  const needy = useSignal<readonly OwnOrganization[] | undefined>(owned.length === 0 ? [] : undefined);

  async function isOnlyOwner({ id, members }: OwnOrganization): Promise<boolean> {
    if (members === 1) return true;
    const listed = await client.listMembers(id, { limit: mostMembers });
    if (!listed.ok || listed.next !== null) return false;
    const self = session.user.value?.id;
    return listed.members.every(({ user, roles }) => user.id === self || rankOf(roles) !== "owner");
  }
  async function look(): Promise<void> {
    const looked = owned.slice(0, mostOrganizations);
    const found = await Promise.all(looked.map(async (each) => ((await isOnlyOwner(each)) ? [each] : [])));
    needy.value = found.flat();
  }
  useEffect(() => void look(), []);
  const begin = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The dialog was opened before it had anything in it that takes the focus.
    begin.current?.closest("dialog")?.querySelector<HTMLElement>("input, a, button")?.focus();
  }, [needy.value]);

  if (needy.value === undefined) return <Skeleton />;
  if (needy.value.length === 0)
    return (
      <div ref={begin} class="stack">
        {children}
      </div>
    );
  return (
    <div ref={begin} class="stack">
      <Notice kind="warning">
        <p>{ownersFirst.lead({ count: needy.value.length })}</p>
        <ul class="consequences">
          {needy.value.map(({ id, name }) => (
            <li key={id}>
              <a href={router.href("/account/organization", { id })}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </Notice>
      <div class="buttons">
        <Button onClick={onClose}>{words.value.acts.keep}</Button>
      </div>
    </div>
  );
}
