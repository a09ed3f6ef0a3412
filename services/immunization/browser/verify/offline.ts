// The service worker of the verification page: without a network it answers from what the page has kept, with one it
// stays out of the way.
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  if (navigator.onLine || request.method !== 'GET') return
  const kept = caches.match(request, { ignoreSearch: true })
  ;(event as FetchEvent).respondWith(kept.then((response) => response ?? Response.error()))
})
