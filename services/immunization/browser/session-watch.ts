// Watches over the session of the page: counts down, warns, ends, and notices when another patient was opened.
const clock = document.querySelector<HTMLElement>('[data-session-seconds]')
const warning = document.getElementById('session-warning')
const warnAtSeconds = 300
// Below this the server gives a new token to whoever asks.
const renewBelowSeconds = 120

interface SessionAnswer {
  /** Missing in the answer of a copy of the version before. */
  readonly patientKey?: string
  readonly secondsRemaining: number
}

if (clock !== null && warning !== null) watch(clock, warning)

function watch(shown: HTMLElement, warn: HTMLElement): void {
  const patient = shown.dataset['patient'] ?? ''
  const idleSeconds = Number(shown.dataset['idleSeconds'])
  const digits = shown.querySelector('time')
  // By the wall clock: a computer that slept has not counted.
  const lastAt = Date.now() + Number(shown.dataset['longestSeconds']) * 1000
  let endsAt = Date.now() + Number(shown.dataset['sessionSeconds']) * 1000
  let isStaying = false
  let isAsking = false

  const tick = () => {
    const left = Math.max(0, Math.round((endsAt - Date.now()) / 1000))
    if (digits !== null) digits.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    if (left === 0) return end()
    const isLate = left <= warnAtSeconds
    shown.classList.toggle('late', isLate)
    const wasHidden = warn.hidden
    warn.hidden = !isLate || isStaying
    // Read out once, when it appears.
    if (wasHidden && !warn.hidden) warn.setAttribute('role', 'alert')
    if (isStaying && left < renewBelowSeconds && left % 5 === 0) void ask()
  }

  // Once: a second call would begin the way there anew, on a slow connection again and again.
  const end = () => {
    clearInterval(ticking)
    location.assign('/launch?error=session_expired')
  }

  const ask = async () => {
    if (isAsking) return
    isAsking = true
    try {
      const answer = await fetch('/api/session', { headers: { accept: 'application/json' } })
      if (answer.status === 401) return end()
      if (!answer.ok) return
      const session = (await answer.json()) as SessionAnswer
      if ((session.patientKey ?? patient) !== patient) return openElsewhere()
      const longest = (lastAt - Date.now()) / 1000
      const left = Math.min(session.secondsRemaining, idleSeconds, longest)
      // Until then the token is not yet replaced; whoever wants to stay is not asked again meanwhile. Where the longest
      // time is nearly over nobody can stay, and the warning does.
      if (left > warnAtSeconds || longest <= warnAtSeconds) isStaying = false
      endsAt = Date.now() + left * 1000
    } catch {
      // The network is away; the countdown goes on with what it knows.
    } finally {
      isAsking = false
    }
  }

  warn.querySelector('button')?.addEventListener('click', () => {
    isStaying = true
    void ask().then(tick)
  })
  // Coming back to this tab, somebody may have opened another patient in between, or closed this one.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void ask()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) void ask()
  })
  const channel = new BroadcastChannel('corridor-immunization')
  channel.addEventListener('message', ({ data }) => {
    if (data !== patient) openElsewhere()
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches pages of this origin
  channel.postMessage(patient)
  const ticking = setInterval(tick, 1000)
  tick()
}

/** What this page shows is no longer the record that is open: nothing on it can be used any more. */
function openElsewhere(): void {
  const dialog = document.getElementById('patient-changed')
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.showModal()
}

document.querySelector('button[name="print"]')?.addEventListener('click', () => window.print())

// A slow connection: say that something happens after a moment, and only then.
const leaving = () => document.documentElement.classList.add('leaving')
document.addEventListener('submit', leaving)
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isPage = link !== null && link.origin === location.origin && link.pathname !== location.pathname
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented
  if (isPage && isPlain && !/^\/certificate\/(pdf|health-card\/file)$/.test(link.pathname)) leaving()
})
window.addEventListener('pageshow', () => document.documentElement.classList.remove('leaving'))
