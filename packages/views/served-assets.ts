import { staticAssets, type StaticAssets } from '../http/static-assets.ts'
import { readAsset, versionOf, type ViewAsset } from './assets.ts'

/** Files for pages, each read once, and the routes that serve them. */
export function servedAssets(assets: readonly ViewAsset[], prefix?: string): StaticAssets {
  const files = assets.map((asset) => ({ ...asset, content: readAsset(asset) }))
  return staticAssets(files, versionOf(files), prefix)
}
