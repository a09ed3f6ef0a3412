// The page that checks certificates. Everything happens in this browser: what is scanned is sent nowhere, and once the
// page has been open it works without a network.
import { Camera } from './camera.ts'
import { codeReader, type ReadCode } from './read-code.ts'
import { doubt, type TrustedKeys } from './parts.ts'
import { hideVerdict, part, showVerdict, type VerdictPlaces } from './show-verdict.ts'
import { verdictOf } from './verdict.ts'

interface VerifySettings extends VerdictPlaces {
  readonly trusted: TrustedKeys
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

const readCode = () => (reader ??= codeReader(settings.decoder))

async function check(content: string): Promise<void> {
  notice.textContent = ''
  showVerdict(await verdictOf(content, settings.trusted, new Date()), settings)
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void check(text.value)
})

file.addEventListener('change', () => {
  const [chosen] = file.files ?? []
  if (chosen !== undefined) void checkFile(chosen)
})

async function checkFile(chosen: File): Promise<void> {
  hideVerdict()
  if (!chosen.type.startsWith('image/')) return check(await chosen.text())
  try {
    const picture = await createImageBitmap(chosen)
    const code = await (await readCode())(picture)
    if (code !== undefined) return await check(code)
    notice.textContent = settings.noCode
  } catch {
    showVerdict(doubt('not-a-certificate'), settings)
  }
}

// Without a camera, or where the page is not allowed to ask for one, the button is not there.
look.hidden = navigator.mediaDevices === undefined
look.addEventListener('click', () => {
  if (camera === undefined) void useCamera()
  else endCamera()
})

async function useCamera(): Promise<void> {
  hideVerdict()
  notice.textContent = ''
  try {
    camera = new Camera(video, await readCode())
    video.hidden = false
    look.setAttribute('aria-pressed', 'true')
    const code = await camera.firstCode()
    endCamera()
    if (code !== undefined) await check(code)
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
  // Opened from what was kept: there is nothing newer to keep.
  if (!navigator.onLine) return
  await navigator.serviceWorker.register(settings.worker, { scope: location.pathname })
  const decoder = new URL(settings.decoder, location.href)
  const used = performance.getEntriesByType('resource').map(({ name }) => name)
  const needed = [location.origin + location.pathname, decoder.href, new URL('index.js', decoder).href, ...used]
  const own = new Set(needed.filter((address) => new URL(address).origin === location.origin))
  const kept = await caches.open('verify')
  await kept.addAll([...own])
  // What an older version of the page needed goes only now that the new one is whole.
  for (const { url } of await kept.keys()) if (!own.has(url)) await kept.delete(url)
  document.documentElement.dataset['offline'] = 'ready'
}

// Only on a secure origin; elsewhere the page works as long as it is open.
if ('serviceWorker' in navigator) addEventListener('load', () => void keepForOffline().catch(() => undefined))
