/** A person and a key, the mark of passkeys on many platforms, with words beside it. */
export const PasskeyMark = () => (
  <svg class="mark" width="20" height="20" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <circle cx="9" cy="7" r="4" />
    <path d="M2 20c0-4 3-6.5 7-6.5 1.5 0 2.8.3 3.9.9a5 5 0 0 0 2.1 4.3V20z" />
    <path
      fill-rule="evenodd"
      d="M18.5 9.5a3.5 3.5 0 0 1 1.3 6.75V17l1 1-1.3 1.5 1.3 1.5-2.3 2.5-1.8-2v-5.25A3.5 3.5 0 0 1 18.5 9.5zm0 2a1 1 0 1 0 0 2 1 1 0 0 0 0-2z"
    />
  </svg>
);
