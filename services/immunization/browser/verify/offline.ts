// The service worker of the verification page: without a network, or with one that leads nowhere, it answers from what the
// page has kept. Whether there is a network the browser cannot tell: a Wi-Fi without a line behind it is one for it.
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

/** Who stands at a door with a queue behind waits no longer for a page that is here already. */
const pagePatienceMs = 3_000

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  // The page asks so for what it is going to keep.
  if (request.method !== 'GET' || request.cache === 'reload') return
  ;(event as FetchEvent).respondWith(answerTo(request))
})

async function answerTo(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreSearch: true })
  if (kept === undefined) return fetch(request)
  // Only the page itself changes; all that it loads has another address when it is another.
  if (request.mode !== 'navigate') return kept
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), pagePatienceMs)
  try {
    // Whom it may ask, the policy that this script is served with says.
    const response = await fetch(request, { signal: patience.signal })
    // A gateway that answers for a server that is away has no page either.
    return response.status >= 500 ? kept : response
  } catch {
    return kept
  } finally {
    // It has begun to answer: the rest may take its time.
    clearTimeout(timer)
  }
}
