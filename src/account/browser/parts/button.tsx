import type { ComponentChildren } from "preact";

interface ButtonProps {
  /** `provider`: one of several equal ways, with a mark. `link`: a secondary act. */
  readonly kind?: "primary" | "danger" | "provider" | "link";
  /** Whether the button's act is under way. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Takes the focus when the button's form is shown. */
  readonly isFirst?: boolean;
  /** The text for screen readers, where several buttons have the same words. */
  readonly label?: string;
  /** Default: sends the button's form. */
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

/** A button with a verb as its label. While busy it keeps its width, its label and the focus. */
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
