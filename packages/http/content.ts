import type { Readable } from 'node:stream'

/** An answer that is not JSON by a schema: a page, bytes, a stream, or nothing. */
export interface Content<Body = unknown> {
  readonly content: 'html' | 'text' | 'bytes' | 'stream' | 'nothing' | 'json'
  readonly mediaType: string | undefined
  /** Only for the type checker: what the body is. */
  readonly body?: Body
}

export const html: Content<string> = { content: 'html', mediaType: 'text/html; charset=utf-8' }

export const nothing: Content<void> = { content: 'nothing', mediaType: undefined }

export const plainText = (mediaType = 'text/plain; charset=utf-8'): Content<string> => ({ content: 'text', mediaType })

export const bytes = (mediaType: string): Content<Uint8Array> => ({ content: 'bytes', mediaType })

export const streamed = (mediaType: string): Content<Readable> => ({ content: 'stream', mediaType })

/** JSON whose form is given elsewhere (FHIR resources): sent whole, so nothing internal may be in it. */
export const openJson = (mediaType = 'application/json'): Content<object> => ({ content: 'json', mediaType })

export function isContent(output: object): output is Content {
  return 'content' in output && typeof output.content === 'string' && 'mediaType' in output
}
