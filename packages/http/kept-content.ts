import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { reply, type Reply, type ReplyHeaders } from './answer.ts'
import { headerOf, type IncomingRequest } from './request.ts'

type Encoding = 'br' | 'gzip' | 'identity'

interface KeptContentOptions {
  readonly content: Uint8Array
  readonly contentType: string
  /** Another one where the content is another. */
  readonly version: string
}

/** What is sent again and again as it is: compressed once, when first asked for, and not at all to who has it already. */
export class KeptContent {
  readonly #given: KeptContentOptions
  readonly #encoded = new Map<Encoding, Promise<Uint8Array>>()

  constructor(given: KeptContentOptions) {
    this.#given = given
  }

  async answerTo(
    request: Pick<IncomingRequest, 'headers'>,
    more: ReplyHeaders = {},
  ): Promise<Reply<200, Uint8Array> | Reply<304, undefined>> {
    const { contentType, version } = this.#given
    const encoding = bestEncoding(contentType, headerOf(request, 'accept-encoding') ?? '')
    const etag = `"${version}-${encoding}"`
    const common = { etag, vary: 'Accept-Encoding', ...more }
    if (headerOf(request, 'if-none-match')?.includes(etag) === true) return reply(304, undefined, common)
    return reply(200, await this.#inEncoding(encoding), {
      ...common,
      'content-type': contentType,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    })
  }

  #inEncoding(encoding: Encoding): Promise<Uint8Array> {
    let known = this.#encoded.get(encoding)
    if (known === undefined) this.#encoded.set(encoding, (known = encoders[encoding](this.#given.content)))
    return known
  }
}

/** Text is compressed; fonts and pictures already are. */
function bestEncoding(contentType: string, acceptEncoding: string): Encoding {
  if (!/^text\/|svg|json/.test(contentType)) return 'identity'
  const parts = acceptEncoding
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
  const taken = new Set(parts.map((part) => part.split(';', 1)[0]))
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity'
}

const brotli = promisify(brotliCompress)
const zipped = promisify(gzip)

const encoders: Readonly<Record<Encoding, (content: Uint8Array) => Promise<Uint8Array>>> = {
  identity: async (content) => content,
  gzip: (content) => zipped(content, { level: 9 }),
  br: (content) => brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
}
