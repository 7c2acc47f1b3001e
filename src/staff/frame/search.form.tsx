/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { StaffContext } from "./context.ts";

interface SearchFormProps {
  readonly context: Pick<StaffContext, "words">;
  readonly action: string;
  /** What the form finds, to those who can't see it. */
  readonly name: string;
  readonly label: string;
  /** What can be typed. */
  readonly hint: string;
  readonly search: string | undefined;
  /** Whether it stands beside other things of a page: in one line, without the focus. */
  readonly isBeside?: boolean;
  /** Hidden fields by which the search goes on in what is chosen already. */
  readonly children?: Children;
}

/** Finds what begins with the typed text. */
export const SearchForm = ({
  context,
  action,
  name,
  label,
  hint,
  search,
  isBeside = false,
  children,
}: SearchFormProps) => (
  <form class={isBeside ? "find beside" : "find"} method="get" action={action} role="search" aria-label={name}>
    <label for="search">{label}</label>
    <div class="line">
      <input
        id="search"
        type="search"
        name="search"
        value={search ?? ""}
        dir="auto"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-describedby="search-below"
        autofocus={!isBeside}
      />
      <button class="primary">{context.words.frame.find}</button>
    </div>
    <p id="search-below" class={isBeside ? "unseen" : "hint"}>
      {hint}
    </p>
    {children}
  </form>
);
