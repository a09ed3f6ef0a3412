import type { Attachment } from '../../../packages/fhir/r4.ts'
import type { ComponentValue } from '../../../packages/hl7/index.ts'

export interface WrittenFile {
  readonly type: 'ED' | 'RP'
  readonly value: readonly ComponentValue[]
}

/** A file as a value of OBX: ED where its bytes are at hand, RP where only its place is; undefined where neither is. */
export function fileOf({ contentType = '', data, url }: Attachment): WrittenFile | undefined {
  const [media = ''] = contentType.split(';')
  const [major, minor] = media.trim() === '' ? ['application', 'octet-stream'] : media.trim().split('/')
  if (data !== undefined) return { type: 'ED', value: [undefined, major, minor, 'Base64', data] }
  return url === undefined ? undefined : { type: 'RP', value: [url, undefined, major, minor] }
}
