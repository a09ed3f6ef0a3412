import { incorrect } from '../../../packages/faults/fault.ts'
import type { Binary } from '../../../packages/fhir/r4.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { ReplyHeaders } from '../../../packages/http/answer.ts'
import { mediaTypeOf } from '../../../packages/http/body.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import type { Stored } from '../store/change.ts'
import { fhirTypes } from './fhir-types.ts'
import { readBody } from './read-body.ts'

/**
 * What a Binary may hold to be sent and fetched as itself (R4 section 2.41); anything else goes as JSON. A list: what
 * browsers run (HTML, SVG, scripts) must not come from our origin, though it is only ever given to be saved.
 */
export const nativeTypes: readonly string[] = [
  ...['application/octet-stream', 'application/pdf', 'application/dicom', 'application/zip', 'application/rtf'],
  ...['application/xml', 'text/xml', 'text/plain', 'text/csv', 'text/rtf'],
  ...['image/png', 'image/jpeg', 'image/gif', 'image/tiff', 'image/webp', 'image/bmp'],
  ...['audio/mpeg', 'audio/wav', 'audio/ogg', 'video/mp4', 'video/mpeg'],
]

/** The resource of a request: its JSON, or the Binary whose content the body is. */
export function resourceSent(type: string, id: string | undefined, request: IncomingRequest): unknown {
  const contentType = headerOf(request, 'content-type')
  const mediaType = mediaTypeOf(contentType)
  // Without a body there is no type: readBody says so.
  if (request.rawBody === undefined || isFhir(mediaType)) return readBody(request)
  if (type !== 'Binary') {
    throw incorrect(`Send the body as ${fhirTypes.join(' or ')} and name that type in the Content-Type header.`, {
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })
  }
  const reference = headerOf(request, 'x-security-context')
  return {
    resourceType: 'Binary',
    ...(id === undefined ? {} : { id }),
    contentType: contentType?.trim().replace(/\s+/g, ' '),
    ...(reference === undefined ? {} : { securityContext: { reference } }),
    data: Buffer.from(request.rawBody).toString('base64'),
  }
}

const isFhir = (mediaType: string | undefined) => fhirTypes.some((one) => one === mediaType)

interface NativeContent {
  readonly body: Uint8Array
  readonly headers: ReplyHeaders
}

/** The content of a Binary where the caller wants it in its own form. */
export function nativeContent({ content = '{}' }: Stored, accept: string): NativeContent | undefined {
  // Sound: nothing but a Binary is stored under the type.
  const { contentType, data = '', securityContext } = parseJson(content) as Binary
  const mediaType = mediaTypeOf(contentType) ?? ''
  if (!nativeTypes.includes(mediaType) || !isAsked(mediaType, accept)) return undefined
  const reference = securityContext?.reference ?? ''
  return {
    body: Buffer.from(data, 'base64'),
    headers: {
      'content-type': plainParameters.test(contentType) ? contentType : mediaType,
      // To be saved, never shown as a page of ours.
      'content-disposition': 'attachment',
      ...(/^[\w./:-]+$/.test(reference) ? { 'x-security-context': reference } : {}),
    },
  }
}

/** By name, or as any of its kind. `application/*` and what says less is what programs send that expect JSON. */
function isAsked(mediaType: string, accept: string): boolean {
  const kind = mediaType.split('/', 1)[0] ?? ''
  const ranges = accept.split(',').map(mediaTypeOf)
  if (ranges.some((range) => isFhir(range))) return false
  return ranges.some((range) => range === mediaType || (kind !== 'application' && range === `${kind}/*`))
}

const plainParameters = /^[\w.+/-]+(?:; ?[\w-]+=[\w.-]+)?$/
