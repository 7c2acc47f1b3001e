import type { ComponentChildren } from "preact";

interface ButtonProps {
  readonly kind?: "primary" | "danger";
  /** Whether what it began is under way. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** What is read out in place of the words on it, where several buttons have the same. */
  readonly label?: string;
  /** Default: sends its form. */
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

/** A button, whose label is a verb. While busy it keeps its width, its label and the focus. */
export const Button = ({ kind, isBusy = false, isDisabled = false, label, onClick, children }: ButtonProps) => (
  <button
    type={onClick === undefined ? "submit" : "button"}
    class={[kind, isBusy && "busy"].filter(Boolean).join(" ")}
    aria-label={label}
    aria-disabled={isBusy || isDisabled}
    onClick={(event) => {
      if (isBusy || isDisabled) event.preventDefault();
      else onClick?.();
    }}
  >
    {children}
  </button>
);
