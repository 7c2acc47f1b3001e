interface CheckProps {
  readonly name: string;
  readonly label: string;
}

export const Check = ({ name, label }: CheckProps) => (
  <label class="check">
    <input type="checkbox" name={name} />
    {label}
  </label>
);
