import type { StaticAssets } from '../../../packages/http/static-assets.ts'
import { languagesStyle, type ViewAsset } from '../../../packages/views/assets.ts'
import { servedAssets } from '../../../packages/views/served-assets.ts'

// Run from source (tests), a module is still TypeScript; built, it is JavaScript.
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

export const appStyle = 'immunization.css'
/** Telephones use the font they have: Inter is three quarters of what a page weighs. See styles/app.css. */
export const wideScreen = '(width >= 48rem)'
export const sessionScript = 'session-watch.js'

const files: readonly ViewAsset[] = [
  {
    name: appStyle,
    files: [
      languagesStyle,
      ...['app', 'records', 'drawings', 'certificate', 'print'].map(
        (name) => new URL(`../styles/${name}.css`, import.meta.url),
      ),
    ],
    contentType: 'text/css; charset=utf-8',
  },
  {
    name: sessionScript,
    files: [new URL(`../browser/session-watch${ending}`, import.meta.url)],
    contentType: 'text/javascript; charset=utf-8',
  },
]

/** The styles and browser code of the app's own. */
export const appAssets = (): StaticAssets => servedAssets(files, '/app-assets')

/** The address of an asset, the app's own or the kit's. */
export function assetAddresses(own: StaticAssets, kit: (name: string) => string): (name: string) => string {
  const names = new Set(files.map(({ name }) => name))
  return (name) => (names.has(name) ? own.urlOf(name) : kit(name))
}
