import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { StaticAssets } from '../../../../packages/http/static-assets.ts'
import type { ViewAsset } from '../../../../packages/views/assets.ts'
import { servedAssets } from '../../../../packages/views/served-assets.ts'

// Run from source (tests), the modules are still TypeScript and import each other by that ending; built, JavaScript.
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const require = createRequire(import.meta.url)

export const verifyStyle = 'verify.css'
export const verifyScript = `verify${ending}`
export const decoderScript = 'decode.js'

/** The service worker has an address of its own: what it may answer for depends on it. */
export const offlineScript = script(`offline${ending}`)

const files: readonly ViewAsset[] = [
  { name: verifyStyle, files: [new URL('verify.css', import.meta.url)], contentType: 'text/css; charset=utf-8' },
  ...['verify', 'verdict', 'newer-keys', 'health-card', 'envelope', 'parts', 'read-code', 'camera', 'show-verdict'].map(
    (name) => script(`${name}${ending}`),
  ),
  // The reader of codes for browsers without one; it imports its neighbour by this name.
  library(decoderScript, 'qr/decode.js'),
  library('index.js', 'qr'),
]

export const verifyAssets = (): StaticAssets => servedAssets(files, '/verify-assets')

function script(name: string): ViewAsset {
  return {
    name,
    files: [new URL(`../../browser/verify/${name}`, import.meta.url)],
    contentType: 'text/javascript; charset=utf-8',
  }
}

function library(name: string, specifier: string): ViewAsset {
  return { name, files: [pathToFileURL(require.resolve(specifier))], contentType: 'text/javascript; charset=utf-8' }
}
