import type { Attachment } from '../../../../packages/fhir/r4.ts'
import type { Part } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'
import { rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import { subtype } from '../v/0291-subtype.ts'

/** ED: data that travels in the message. Undefined, with a warning, when it cannot be read. */
export function ed(part: Part | undefined, place: At): Attachment | undefined {
  const sent = part?.text(5) ?? (part?.count === 1 ? part.text(1) : undefined)
  if (part === undefined || sent === undefined) return undefined
  const encoding = part.text(4)?.trim().toUpperCase() ?? ''
  const data = base64Of(sent, encoding, part)
  if (data === undefined) {
    warnAt(place, 'bad-value', 'The data is not in the encoding that it names; it was left out.')
    return undefined
  }
  // R4 wants the type of what it is given, and this one says nothing.
  return { contentType: contentType(part.text(2), part.text(3)) ?? 'application/octet-stream', data }
}

/** RP: data that lies elsewhere. */
export function rp(part: Part | undefined, place: At): Attachment | undefined {
  // An address is one text, also where its & was not escaped.
  const pointer = part?.part(1)?.whole.trim() ?? ''
  if (part === undefined || pointer === '') return undefined
  const url = /^[a-z][a-z0-9+.-]*:\S/i.test(pointer) && !/\s/.test(pointer) ? pointer : undefined
  if (url === undefined) warnAt(place, 'bad-value', 'The pointer is not an address; it was kept as the title.')
  return compact<Attachment>({
    contentType: contentType(part.text(3), part.text(4)),
    url,
    title: url === undefined ? pointer : undefined,
  })
}

/** A text as an attachment, as the content of documents. */
export const textAttachment = (text: string): Attachment => ({
  contentType: 'text/plain; charset=utf-8',
  data: Buffer.from(text).toString('base64'),
})

/** Table 0299: Base64, Hex, or A for text as it is. */
function base64Of(sent: string, encoding: string, part: Part): string | undefined {
  if (encoding.startsWith('HEX')) {
    const digits = sent.replaceAll(/\s/g, '')
    return isHex(digits) ? Buffer.from(digits, 'hex').toString('base64') : undefined
  }
  if (encoding === 'A') return Buffer.from(sent).toString('base64')
  // Base64 has none of the separators, so what was escaped is only line ends.
  const digits = sent.replaceAll(/\s/g, '')
  if (isBase64(digits)) return digits
  return encoding === '' && part.count === 1 ? Buffer.from(sent).toString('base64') : undefined
}

// Both look for the sign that does not belong: a pattern that has to take millions of signs may lack the room to.
const isHex = (text: string): boolean => text !== '' && text.length % 2 === 0 && !/[^0-9a-f]/i.test(text)

const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 &&
  /(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)$/.test(text.slice(-2)) &&
  !/[^A-Za-z0-9+/]/.test(text.slice(0, -2))

/** A media type as such, or made of type and subtype. */
function contentType(type: string | undefined, kind: string | undefined): string | undefined {
  // Neither half of a media type is longer (RFC 6838).
  const words = [kind, type].map((word) => word?.trim() ?? '').filter((word) => word !== '' && word.length <= 255)
  for (const word of words) {
    if (/^[a-z]+\/[a-z0-9.+-]+$/i.test(word)) return word.toLowerCase()
    const known = rowOf(subtype, word)
    if (known !== undefined) return known
  }
  const [minor, major] = words
  return major !== undefined && /^(application|audio|image|text|video)$/i.test(major)
    ? `${major}/${minor}`.toLowerCase().replaceAll(/[^a-z0-9/.+-]/g, '-')
    : undefined
}
