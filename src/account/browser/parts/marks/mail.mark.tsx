/** An envelope, with words beside it. */
export const MailMark = () => (
  <svg class="mark" width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
    <rect x="2.5" y="5" width="19" height="14" rx="2" stroke-width="2" />
    <path d="m3 7 9 6 9-6" stroke-width="2" stroke-linejoin="round" />
  </svg>
);
