// The server writes every instant in UTC. Here it becomes the reader's own time, written as the page writes its days; the
// exact instant stays on hover.

// Part by part: what a language calls a medium date may be figures alone, as in Arabic, beside days with their months.
const minute = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const styles = { minute, second: { ...minute, second: '2-digit' } } as const

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

function showLocalTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-precision]')) {
    const instant = new Date(time.dateTime)
    if (!Number.isNaN(instant.getTime())) time.textContent = formatOf(time.dataset).format(instant)
  }
  nameZone()
}

/** A time without its zone is the reader's by day, and nobody's on a sheet of paper or in a picture of the screen. */
function nameZone(): void {
  const note = document.querySelector<HTMLElement>('[data-zone]')
  if (note === null) return
  note.hidden = document.querySelector('time[data-precision]') === null
  // Between the signs that keep it in its own direction.
  note.textContent = (note.dataset['zone'] ?? '').replace('{zone}', `\u2068${timeZone.replaceAll('_', ' ')}\u2069`)
}

/** Making one costs more than a hundred uses of it, and a page has hundreds of instants. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf({ locale = 'en-GB', precision }: DOMStringMap): Intl.DateTimeFormat {
  const key = `${locale} ${precision}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(locale, styles[precision === 'second' ? 'second' : 'minute'])
  formats.set(key, format)
  return format
}

showLocalTimes(document)
document.addEventListener('corridor:refreshed', (event) => {
  if (event.target instanceof Element) showLocalTimes(event.target)
})
