// <div data-refresh="/console/rates" data-refresh-seconds="5"> is fetched anew every five seconds while it is looked at,
// until what comes holds a data-refresh-over: then nothing moves any more.
for (const fragment of document.querySelectorAll<HTMLElement>('[data-refresh]')) {
  const seconds = Math.max(1, Number(fragment.dataset['refreshSeconds'] ?? 10))
  const over = new AbortController()
  const timer = setInterval(() => void refresh(fragment), seconds * 1000)
  over.signal.addEventListener('abort', () => clearInterval(timer))
  document.addEventListener('visibilitychange', () => void refresh(fragment), { signal: over.signal })
  fragment.addEventListener('corridor:refreshed', () => {
    if (fragment.querySelector('[data-refresh-over]') !== null) over.abort()
  })
}

async function refresh(fragment: HTMLElement): Promise<void> {
  if (document.hidden || fragment.ariaBusy === 'true' || fragment.contains(document.activeElement)) return
  fragment.ariaBusy = 'true'
  try {
    const answer = await fetch(fragment.dataset['refresh'] ?? '', {
      headers: { accept: 'text/html' },
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    fragment.toggleAttribute('data-stale', !answer.ok)
    // Whoever is not signed in any more is sent elsewhere.
    fragment.toggleAttribute('data-signed-out', answer.type === 'opaqueredirect')
    const html = await answer.text()
    // Who has come into it meanwhile keeps their place; the next round brings the news.
    if (answer.ok && !fragment.contains(document.activeElement)) replaceContent(fragment, html)
  } catch {
    // The last picture stays, marked as old; the next round tries again.
    fragment.setAttribute('data-stale', '')
  } finally {
    fragment.ariaBusy = 'false'
  }
}

function replaceContent(fragment: HTMLElement, html: string): void {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  fragment.replaceChildren(...parsed.body.childNodes)
  fragment.dispatchEvent(new Event('corridor:refreshed', { bubbles: true }))
}
