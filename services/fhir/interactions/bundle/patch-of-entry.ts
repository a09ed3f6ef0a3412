import { incorrect } from '../../../../packages/faults/fault.ts'
import { parseJson } from '../../../../packages/fhir/parse-json.ts'

/** R4 section 3.1.0.8: in a bundle a JSON Patch is the data of a Binary. */
export function patchOf(resource: unknown): unknown {
  const { resourceType, contentType, data } = (resource ?? {}) as Record<string, unknown>
  if (resourceType !== 'Binary' || contentType !== 'application/json-patch+json' || typeof data !== 'string') {
    throw incorrect('Send the patch as a Binary with contentType application/json-patch+json.', {
      fields: [{ path: 'resource', message: 'must be a Binary that holds a JSON Patch' }],
    })
  }
  try {
    return parseJson(Buffer.from(data, 'base64').toString())
  } catch (error) {
    throw incorrect('The data of the Binary are not JSON.', { cause: error, logged: 'JSON syntax' })
  }
}
