import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { assert, missing } from '../faults/fault.ts'
import { reply } from './answer.ts'
import { bytes, nothing } from './content.ts'
import { text } from './fields.ts'
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

type Encoding = 'br' | 'gzip' | 'identity'

/**
 * Serves files from memory under one folder whose name changes with their contents, `/assets/<version>/<name>`: a style
 * sheet's relative address of a font keeps working. Each is compressed once, when first asked for.
 */
export function staticAssets(files: readonly AssetFile[], version: string, prefix = '/assets'): StaticAssets {
  const assets = new Map(files.map((file) => [file.name, new Asset(file, version)]))
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
    run: async ({ params, headers }) => {
      const asset = params.version === version ? assets.get(params.name) : undefined
      if (asset === undefined) throw missing('There is nothing at this address.')
      const encoding = asset.bestEncoding(headers['accept-encoding'] ?? '')
      const common = {
        etag: asset.etag(encoding),
        vary: 'Accept-Encoding',
        'cross-origin-resource-policy': 'same-origin',
      }
      if (headers['if-none-match']?.includes(common.etag) === true) return reply(304, undefined, common)
      return reply(200, await asset.encoded(encoding), {
        ...common,
        'content-type': asset.contentType,
        ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      })
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

class Asset {
  readonly contentType: string
  readonly #content: Uint8Array
  readonly #version: string
  readonly #encoded = new Map<Encoding, Promise<Uint8Array>>()

  constructor(file: AssetFile, version: string) {
    this.contentType = file.contentType
    this.#content = file.content
    this.#version = version
  }

  etag(encoding: Encoding): string {
    return `"${this.#version}-${encoding}"`
  }

  /** Text is compressed; fonts and pictures already are. */
  bestEncoding(acceptEncoding: string): Encoding {
    if (!/^text\/|svg|json/.test(this.contentType)) return 'identity'
    const parts = acceptEncoding
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    const taken = new Set(parts.map((part) => part.split(';', 1)[0]))
    return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity'
  }

  encoded(encoding: Encoding): Promise<Uint8Array> {
    let known = this.#encoded.get(encoding)
    if (known === undefined) this.#encoded.set(encoding, (known = encoders[encoding](this.#content)))
    return known
  }
}

const brotli = promisify(brotliCompress)
const zipped = promisify(gzip)

const encoders: Readonly<Record<Encoding, (content: Uint8Array) => Promise<Uint8Array>>> = {
  identity: async (content) => content,
  gzip: (content) => zipped(content, { level: 9 }),
  br: (content) => brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
}
