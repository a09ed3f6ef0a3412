import type { StaticAssets } from '../../../packages/http/static-assets.ts'
import type { ViewAsset } from '../../../packages/views/assets.ts'
import { servedAssets } from '../../../packages/views/served-assets.ts'

// Run from source (tests), a module is still TypeScript; built, it is JavaScript.
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

export const consoleStyle = 'console.css'
export const fieldLinksScript = 'field-links.js'

/** In the order of the pages. */
const styleSheets = ['overview', 'messages']

const files: readonly ViewAsset[] = [
  {
    name: consoleStyle,
    files: styleSheets.map((name) => new URL(`./styles/${name}.css`, import.meta.url)),
    contentType: 'text/css; charset=utf-8',
  },
  {
    name: fieldLinksScript,
    files: [new URL(`../browser/field-links${ending}`, import.meta.url)],
    contentType: 'text/javascript; charset=utf-8',
  },
]

/** The styles and browser code of the console’s own. */
export const consoleAssets = (): StaticAssets => servedAssets(files, '/console-assets')

/** The address of an asset, the console’s own or the kit’s. */
export function assetAddresses(own: StaticAssets, kit: (name: string) => string): (name: string) => string {
  const names = new Set(files.map(({ name }) => name))
  return (name) => (names.has(name) ? own.urlOf(name) : kit(name))
}
