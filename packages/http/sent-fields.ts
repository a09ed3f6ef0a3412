import { formType, mediaTypeOf } from './body.ts'
import { headerOf, type IncomingRequest } from './request.ts'

export type SentFields = readonly (readonly [name: string, value: string])[]

const fieldsMax = 200
const bytesMax = 262_144

/** What a form said, in its order, to be given back to who typed it; undefined where it is no form, or more than people write. */
export function sentFields(request: Pick<IncomingRequest, 'rawBody' | 'headers'>): SentFields | undefined {
  const { rawBody } = request
  if (rawBody === undefined || rawBody.length > bytesMax) return undefined
  if (mediaTypeOf(headerOf(request, 'content-type')) !== formType) return undefined
  const fields = [...new URLSearchParams(new TextDecoder().decode(rawBody))]
  return fields.length > fieldsMax ? undefined : fields
}
