type IconName = keyof typeof shapes

/** A line drawing in the colour of the text beside it. It repeats that text, so it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}

const shapes = {
  good: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM6.8 10.2l2.2 2.2 4.2-4.6',
  warning: 'M10 3.2 2.4 16.4h15.2L10 3.2ZM10 8.2v3.6M10 14h.01',
  bad: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM10 6.4v4.4M10 13.6h.01',
  info: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM10 9.2v4.4M10 6.4h.01',
  neutral: 'M3.5 10h13',
  search: 'M8.8 3.2a5.6 5.6 0 1 0 0 11.2 5.6 5.6 0 0 0 0-11.2ZM13 13l4 4',
  close: 'M5 5l10 10M15 5 5 15',
  next: 'M7.5 4.5 13 10l-5.5 5.5',
  previous: 'M12.5 4.5 7 10l5.5 5.5',
  empty: 'M3 11.5 5.2 4.6h9.6L17 11.5v4.2H3v-4.2Zm0 0h4.2l1 1.9h3.6l1-1.9H17',
} as const
