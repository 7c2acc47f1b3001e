import type { ComponentChildren } from "preact";

interface ButtonProps {
  /** `provider`: one of several equal ways, with a mark. `link`: an act that stands back behind the others. */
  readonly kind?: "primary" | "danger" | "provider" | "link";
  /** Whether what it began is under way. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Takes the focus when what it belongs to is shown. */
  readonly isFirst?: boolean;
  /** What is read out in place of the words on it, where several buttons have the same. */
  readonly label?: string;
  /** Default: sends its form. */
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

/** A button, whose label is a verb. While busy it keeps its width, its label and the focus. */
export const Button = ({
  kind,
  isBusy = false,
  isDisabled = false,
  isFirst,
  label,
  onClick,
  children,
}: ButtonProps) => (
  <button
    type={onClick === undefined ? "submit" : "button"}
    class={[kind, isBusy && "busy"].filter(Boolean).join(" ")}
    aria-label={label}
    data-first={isFirst === true ? true : undefined}
    aria-disabled={isBusy || isDisabled}
    onClick={(event) => {
      if (isBusy || isDisabled) event.preventDefault();
      else onClick?.();
    }}
  >
    {children}
  </button>
);
