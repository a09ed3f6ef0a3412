// Searches while the reader types: fetches the page that the form leads to and takes over its list. Without this
// script, or when the fetch fails, Enter does the same. Arrow keys go through what was found.
const form = document.querySelector<HTMLFormElement>('form.search-box')
const input = form?.querySelector<HTMLInputElement>('input[type="search"]')
const waitMs = 200
const slowMs = 1_000
let told: { readonly what: string; readonly element: Element } | undefined

if (form !== null && input !== undefined && input !== null) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  const end = () => {
    clearTimeout(timer)
    running?.abort()
  }
  // Who has chosen waits for no list: the answer to a request that is over by then would lead away from the choice.
  document.addEventListener('submit', end)
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running?.abort()
      running = new AbortController()
      void search(form, running.signal)
    }, waitMs)
  })
}

async function search(from: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const list = document.getElementById('found')
  if (list === null) return
  const address = new URL(from.action)
  for (const [name, value] of new FormData(from)) if (typeof value === 'string') address.searchParams.set(name, value)
  list.ariaBusy = 'true'
  const slow = setTimeout(tell, slowMs, 'search-slow', list)
  signal.addEventListener('abort', () => clearTimeout(slow))
  try {
    const answer = await fetch(address, { headers: { accept: 'text/html' }, signal })
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('found')
    // An error page has no list: the form itself leads there and shows it whole.
    if (fresh === null) return from.submit()
    list.replaceChildren(...fresh.childNodes)
    history.replaceState(null, '', address)
    tell(undefined, list)
  } catch {
    // The next letter has ended this search, or the network has; the list stays as it is.
    if (!signal.aborted) tell('search-failed', list)
  }
  clearTimeout(slow)
  if (!signal.aborted) list.ariaBusy = 'false'
}

/** Above the list, in the words of the page; nothing where there is nothing to tell. */
function tell(what: 'search-slow' | 'search-failed' | undefined, list: Element): void {
  if (told?.what === what) return
  told?.element.remove()
  told = undefined
  const template = what === undefined ? null : document.getElementById(what)
  if (what === undefined || !(template instanceof HTMLTemplateElement)) return
  list.before(template.content.cloneNode(true))
  const element = list.previousElementSibling
  if (element !== null) told = { what, element }
}

document.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [...document.querySelectorAll<HTMLElement>('#found td a, #found td button')]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  const isFromSearch = document.activeElement === input
  if (stops.length === 0 || (at < 0 && !isFromSearch)) return
  event.preventDefault()
  const next = at + (event.key === 'ArrowDown' ? 1 : -1)
  if (next < 0) input?.focus()
  else stops[Math.min(next, stops.length - 1)]?.focus()
})
