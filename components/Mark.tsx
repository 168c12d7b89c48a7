/** The mark: a portico, and in it somebody who may pass. */
export function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <rect x="1" y="2" width="22" height="3" />
      <rect x="3" y="7" width="3" height="15" />
      <rect x="18" y="7" width="3" height="15" />
      <g class="brand-mark-key">
        <circle cx="12" cy="11" r="3" />
        <path d="M11 13h2l1.5 9h-5z" />
      </g>
    </svg>
  );
}
