// The page that checks certificates. Everything happens in this browser: what is scanned is sent nowhere, and once the
// page has been open it works without a network.
import { Camera } from './camera.ts'
import { verdictByNewerKeys, type KnownKeys } from './newer-keys.ts'
import { codeReader, type ReadCode } from './read-code.ts'
import { doubt, isObject, type PublicKey, type TrustedKeys } from './parts.ts'
import { hideVerdict, part, showVerdict, type VerdictPlaces } from './show-verdict.ts'

interface VerifySettings extends VerdictPlaces {
  readonly trusted: TrustedKeys
  /** Where the keys of today are. */
  readonly keySet: string
  readonly decoder: string
  readonly worker: string
  readonly cameraRefused: string
  readonly noCode: string
}

const form = part('verify') as HTMLFormElement
// Sound: our server writes it.
const settings = JSON.parse(form.dataset['settings'] ?? '{}') as VerifySettings
const text = part('certificate-text') as HTMLTextAreaElement
const file = part('certificate-file') as HTMLInputElement
const look = part('camera-start') as HTMLButtonElement
const video = part('camera-view') as HTMLVideoElement
const notice = part('verify-notice')
let reader: Promise<ReadCode> | undefined
let camera: Camera | undefined
let known: KnownKeys = { trusted: settings.trusted, askedAt: new Date() }
let turn = 0

const readCode = () => (reader ??= codeReader(settings.decoder))

/**
 * What was said of the certificate before goes, and what has yet to be said of it is not said any more: it would be taken for
 * the verdict on this one.
 */
function nextTurn(): number {
  hideVerdict()
  notice.textContent = ''
  turn++
  return turn
}

async function check(content: string, own: number): Promise<void> {
  const found = await verdictByNewerKeys(content, known, new Date(), publishedKeys)
  if (own !== turn) return
  known = found.known
  showVerdict(found.verdict, settings)
}

// What was withdrawn in the meantime is noticed by the next certificate.
addEventListener('online', () => {
  known = { ...known, askedAt: new Date(0) }
})

const keysPatienceMs = 5_000

async function publishedKeys(): Promise<readonly PublicKey[] | undefined> {
  try {
    // Neither the browser's copy nor the worker's: it may be as old as this page.
    const answer = await fetch(settings.keySet, { cache: 'reload', signal: AbortSignal.timeout(keysPatienceMs) })
    const set: unknown = answer.ok ? await answer.json() : undefined
    // Sound: our server writes it, as it writes the keys of the page.
    return isObject(set) && Array.isArray(set['keys']) ? (set['keys'] as PublicKey[]) : undefined
  } catch {
    return undefined
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void check(text.value, nextTurn())
})

file.addEventListener('change', () => {
  const [chosen] = file.files ?? []
  if (chosen !== undefined) void checkFile(chosen)
})

async function checkFile(chosen: File): Promise<void> {
  const own = nextTurn()
  if (!chosen.type.startsWith('image/')) return check(await chosen.text(), own)
  try {
    const picture = await createImageBitmap(chosen)
    const code = await (await readCode())(picture)
    if (code !== undefined) return await check(code, own)
    if (own === turn) notice.textContent = settings.noCode
  } catch {
    if (own === turn) showVerdict(doubt('not-a-certificate'), settings)
  }
}

// Without a camera, or where the page is not allowed to ask for one, the button is not there.
look.hidden = navigator.mediaDevices === undefined
look.addEventListener('click', () => {
  if (camera === undefined) void useCamera()
  else endCamera()
})

async function useCamera(): Promise<void> {
  nextTurn()
  try {
    camera = new Camera(video, await readCode())
    video.hidden = false
    look.setAttribute('aria-pressed', 'true')
    const code = await camera.firstCode()
    endCamera()
    if (code !== undefined) await check(code, nextTurn())
  } catch {
    endCamera()
    notice.textContent = settings.cameraRefused
  }
}

function endCamera(): void {
  camera?.stop()
  camera = undefined
  video.hidden = true
  look.setAttribute('aria-pressed', 'false')
}

/** Keeps this page and all that it needs, so that it opens without a network the next time. */
async function keepForOffline(): Promise<void> {
  if (!navigator.onLine) return
  // Where there is one the browser looks for a newer one by itself, and on a network that leads nowhere would wait for it here.
  const hasWorker = navigator.serviceWorker.controller !== null
  if (!hasWorker) await navigator.serviceWorker.register(settings.worker, { scope: location.pathname })
  // On a network that leads nowhere this fails, and what was kept stays.
  const page = await fetch(location.pathname, { cache: 'reload' })
  const newest = new DOMParser().parseFromString(await page.clone().text(), 'text/html')
  // This one was opened from what was kept, and the newest loads what it has not loaded. That is kept when it is opened.
  if (!page.ok || loadedBy(newest) !== loadedBy(document)) return
  const address = location.origin + location.pathname
  const decoder = new URL(settings.decoder, location.href)
  const used = performance.getEntriesByType('resource').map(({ name }) => name)
  const needed = [decoder.href, new URL('index.js', decoder).href, ...used].filter((each) => each !== address)
  const own = new Set(needed.filter((each) => new URL(each).origin === location.origin))
  const kept = await caches.open('verify')
  await kept.addAll([...own])
  await kept.put(address, page)
  own.add(address)
  // What an older version of the page needed goes only now that the new one is whole.
  for (const { url } of await kept.keys()) if (!own.has(url)) await kept.delete(url)
  document.documentElement.dataset['offline'] = 'ready'
}

const loadedBy = (page: Document): string =>
  Array.from(page.querySelectorAll('script[src], link[href]'), (each) =>
    each.getAttribute(each instanceof HTMLScriptElement ? 'src' : 'href'),
  ).join(' ')

// Only on a secure origin; elsewhere the page works as long as it is open.
if ('serviceWorker' in navigator) addEventListener('load', () => void keepForOffline().catch(() => undefined))
