// A form that is on its way is not sent a second time by an impatient hand: what the first made would be made twice. On
// a slow line that takes seconds; whoever has waited longer, or stopped the page, may press again.
const patienceMs = 10_000
let sentAt = new WeakMap<HTMLFormElement, number>()

document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return
  // What only looks does nothing twice, and may have to be sent after it was fetched in vain.
  if (event.submitter?.dataset['looks'] !== undefined) return
  const now = performance.now()
  if (now - (sentAt.get(form) ?? -patienceMs) < patienceMs) {
    event.preventDefault()
    return
  }
  sentAt.set(form, now)
  // Going back leads to where the form says it is found: what it has made is there, and is not made once more.
  if (form.dataset['at'] !== undefined) history.replaceState(history.state, '', form.dataset['at'])
})

// Who comes back to the page by the browser's own button means to send it anew.
window.addEventListener('pageshow', () => {
  sentAt = new WeakMap()
})
