import { incorrect } from '../../../../packages/faults/fault.ts'
import { decodeText } from '../../../../packages/http/body.ts'
import { readJson } from '../read-json.ts'

/** R4 section 3.1.0.8: in a bundle a JSON Patch is the data of a Binary. */
export function patchOf(resource: unknown): unknown {
  const { resourceType, contentType, data } = (resource ?? {}) as Record<string, unknown>
  if (resourceType !== 'Binary' || contentType !== 'application/json-patch+json' || typeof data !== 'string') {
    throw incorrect('Send the patch as a Binary with contentType application/json-patch+json.', {
      fields: [{ path: 'resource', message: 'must be a Binary that holds a JSON Patch' }],
    })
  }
  return readJson(decodeText(Buffer.from(data, 'base64')))
}
