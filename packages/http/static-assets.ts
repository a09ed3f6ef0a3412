import { assert, missing } from '../faults/fault.ts'
import { bytes, nothing } from './content.ts'
import { text } from './fields.ts'
import { KeptContent } from './kept-content.ts'
import { route, type Route } from './route.ts'
import { anyone } from './who.ts'

interface AssetFile {
  readonly name: string
  readonly content: Uint8Array
  readonly contentType: string
}

export interface StaticAssets {
  readonly routes: readonly Route[]
  /** The address of a file: it changes with the contents, so browsers may keep it for ever. */
  readonly urlOf: (name: string) => string
}

/**
 * Serves files from memory under one folder whose name changes with their contents, `/assets/<version>/<name>`: a style
 * sheet's relative address of a font keeps working.
 */
export function staticAssets(files: readonly AssetFile[], version: string, prefix = '/assets'): StaticAssets {
  const assets = new Map(files.map((file) => [file.name, new KeptContent({ ...file, version })]))
  const serve = route({
    method: 'GET',
    path: `${prefix}/:version/:name`,
    who: anyone,
    summary: 'Styles, scripts, fonts and images of the pages',
    hidden: true,
    cache: 'public, max-age=31536000, immutable',
    input: {
      params: { version: text({ max: 64 }), name: text({ max: 128 }) },
      headers: { 'accept-encoding': text({ optional: true }), 'if-none-match': text({ optional: true }) },
    },
    output: { 200: bytes('application/octet-stream'), 304: nothing },
    run: async ({ params, request }) => {
      const asset = params.version === version ? assets.get(params.name) : undefined
      if (asset === undefined) throw missing('There is nothing at this address.')
      return asset.answerTo(request, { 'cross-origin-resource-policy': 'same-origin' })
    },
  })
  return {
    routes: [serve],
    urlOf(name) {
      assert(assets.has(name), `there is no asset named ${name}`)
      return `${prefix}/${version}/${name}`
    },
  }
}
