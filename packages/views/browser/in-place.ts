// What a button with data-looks asks for is put in the place of what is shown: going back leads to the form as it was
// typed, and never to a page that must be sent again.
const main = document.querySelector('main')
const pages: { title: string; nodes: Node[] }[] = []
let at = 0
history.replaceState({ page: at }, '')

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (!(form instanceof HTMLFormElement) || submitter?.dataset['looks'] === undefined) return
  event.preventDefault()
  if (main !== null && main.ariaBusy !== 'true') void look(main, form, submitter)
})

async function look(place: HTMLElement, form: HTMLFormElement, submitter: HTMLElement): Promise<void> {
  place.ariaBusy = 'true'
  // Sound: who only looks sends no files.
  const body = new URLSearchParams([...new FormData(form, submitter)] as [string, string][])
  const html = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' }, redirect: 'manual' })
    .then((answer) => (answer.ok ? answer.text() : undefined))
    .catch(() => undefined)
  place.ariaBusy = 'false'
  if (html === undefined) {
    delete submitter.dataset['looks']
    form.requestSubmit(submitter)
    return
  }
  const { title, body: shown } = new DOMParser().parseFromString(html, 'text/html')
  pages[at + 1] = { title, nodes: [...(shown.querySelector('main')?.childNodes ?? [])] }
  history.pushState({ page: at + 1 }, '')
  put(at + 1)
  scrollTo(0, 0)
}

function put(number: number): void {
  const page = pages[number]
  if (page === undefined || main === null) return
  pages[at] = { title: document.title, nodes: [...main.childNodes] }
  at = number
  document.title = page.title
  main.replaceChildren(...page.nodes)
  main.dispatchEvent(new Event('corridor:refreshed', { bubbles: true }))
  ;(main.querySelector<HTMLElement>('[aria-invalid]') ?? main).focus()
}

window.addEventListener('popstate', ({ state }: PopStateEvent) => {
  const page: unknown = (state as { page?: unknown } | null)?.page
  if (typeof page === 'number' && page !== at) put(page)
})
