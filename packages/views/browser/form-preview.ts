// <div data-preview="/new/gate"> in a form is fetched with what the form says whenever one of its choices changes.
for (const preview of document.querySelectorAll<HTMLElement>('[data-preview]')) {
  const form = preview.closest('form')
  if (form === null) continue
  let latest = new AbortController()
  const show = () => {
    latest.abort()
    latest = new AbortController()
    void fetchPreview(preview, form, latest.signal)
  }
  form.addEventListener('change', (event) => {
    if (event.target instanceof Element && event.target.matches('select, [type=checkbox], [type=radio]')) show()
  })
  // A browser that goes back fills the form in again without a word.
  if (form.querySelector('[type=checkbox]:checked') !== null) show()
}

async function fetchPreview(preview: HTMLElement, form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const said = new URLSearchParams()
  for (const name of (preview.dataset['previewFields'] ?? '').split(' ')) {
    for (const value of new FormData(form).getAll(name)) if (typeof value === 'string') said.append(name, value)
  }
  preview.ariaBusy = 'true'
  try {
    const answer = await fetch(`${preview.dataset['preview'] ?? ''}?${said.toString()}`, {
      headers: { accept: 'text/html' },
      signal,
    })
    preview.toggleAttribute('data-stale', !answer.ok)
    const parsed = new DOMParser().parseFromString(answer.ok ? await answer.text() : '', 'text/html')
    if (answer.ok) preview.replaceChildren(...parsed.body.childNodes)
  } catch {
    // Somebody chose on meanwhile, or the server is away: what is shown is old.
    if (!signal.aborted) preview.setAttribute('data-stale', '')
  } finally {
    if (!signal.aborted) preview.ariaBusy = 'false'
  }
}
