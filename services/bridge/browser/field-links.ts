// Two lists side by side: the fields of a message (data-place) and the elements they became (data-from, by places).
// Whatever is pointed at or has the focus is marked together with its counterpart. Each list is one stop of the Tab
// key; the arrows go from line to line.
const lines = [...document.querySelectorAll<HTMLElement>('[data-linked] [data-place], [data-linked] [data-from]')]

const placesOf = ({ dataset }: HTMLElement): readonly string[] =>
  (dataset['place'] ?? dataset['from'] ?? '').split(' ').filter(Boolean)

const byPlace = new Map<string, HTMLElement[]>()
for (const line of lines) {
  for (const place of placesOf(line)) byPlace.set(place, [...(byPlace.get(place) ?? []), line])
}

function mark(line: HTMLElement | undefined): void {
  for (const other of document.querySelectorAll('.leaf.marked')) other.classList.remove('marked')
  if (line === undefined) return
  for (const other of new Set(placesOf(line).flatMap((place) => byPlace.get(place) ?? []))) {
    if (isOpposite(line, other) || other === line) other.classList.add('marked')
  }
}

const isOpposite = (one: HTMLElement, other: HTMLElement): boolean =>
  one.closest('[data-linked]') !== other.closest('[data-linked]')

/** The counterpart comes into sight inside of its own list, and the page stays where it is. */
function showCounterpart(line: HTMLElement): void {
  const [place] = placesOf(line)
  const other = byPlace.get(place ?? '')?.find((one) => isOpposite(line, one))
  const list = other?.closest<HTMLElement>('[data-linked]')
  if (other === undefined || list === null || list === undefined) return
  const { top, bottom } = other.getBoundingClientRect()
  const frame = list.getBoundingClientRect()
  if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - frame.height / 3
}

const lineOf = (target: EventTarget | null): HTMLElement | undefined => {
  const found = target instanceof Element ? target.closest<HTMLElement>('.leaf') : null
  return found !== null && lines.includes(found) ? found : undefined
}

const steps: Record<string, number | undefined> = { ArrowDown: 1, ArrowUp: -1 }

for (const list of document.querySelectorAll<HTMLElement>('[data-linked]')) {
  const own = lines.filter((line) => list.contains(line))
  for (const [at, line] of own.entries()) line.tabIndex = at === 0 ? 0 : -1
  list.addEventListener('pointerover', ({ target }) => mark(lineOf(target) ?? focused()))
  list.addEventListener('pointerleave', () => mark(focused()))
  list.addEventListener('click', ({ target }) => lineOf(target)?.focus())
  list.addEventListener('focusin', ({ target }) => {
    const line = lineOf(target)
    mark(line)
    if (line !== undefined) showCounterpart(line)
  })
  list.addEventListener('focusout', () => mark(undefined))
  list.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    const at = own.findIndex((line) => line === document.activeElement)
    const next = step === undefined || at < 0 ? undefined : own[at + step]
    if (next === undefined) return
    event.preventDefault()
    for (const line of own) line.tabIndex = line === next ? 0 : -1
    next.focus()
  })
}

function focused(): HTMLElement | undefined {
  return lineOf(document.activeElement)
}
