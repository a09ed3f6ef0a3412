import type { StaticAssets } from '../../../packages/http/static-assets.ts'
import type { ViewAsset } from '../../../packages/views/assets.ts'
import { servedAssets } from '../../../packages/views/served-assets.ts'

// Run from source (tests), the module is still TypeScript; built, it is JavaScript.
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

const searchAsYouType: ViewAsset = {
  name: 'search-as-you-type.js',
  files: [new URL(`../browser/search-as-you-type${ending}`, import.meta.url)],
  contentType: 'text/javascript; charset=utf-8',
}

/** The browser code of the portal's own. */
export const portalAssets = (): StaticAssets => servedAssets([searchAsYouType], '/portal-assets')

export const searchScript = searchAsYouType.name
