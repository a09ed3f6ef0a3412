import { isUtf8 } from 'node:buffer'
import type { Attachment } from '../../../../packages/fhir/r4.ts'
import type { Part } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'
import { rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import { subtype } from '../v/0291-subtype.ts'

/** ED: data that travels in the message. Undefined, with a warning, when it cannot be read. */
export function ed(part: Part | undefined, place: At): Attachment | undefined {
  const sent = part?.textFrom(part.count === 1 ? 1 : 5)
  if (part === undefined || sent === undefined) return undefined
  const type = contentType(part.text(2), part.text(3))
  const read = dataOf(sent, part.text(4)?.trim().toUpperCase() ?? '', type)
  if (read === undefined) {
    warnAt(place, 'bad-value', 'The data is not in the encoding that it names; it was left out.')
    return undefined
  }
  const { data, isText } = read
  // R4 wants the type of what it is given, and this one says nothing.
  return { contentType: (isText === true ? inUtf8(type) : type) ?? 'application/octet-stream', data }
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

interface Data {
  /** In Base64. */
  readonly data: string
  readonly isText?: true
}

/** Table 0299: Base64, Hex, or A for text as it is. What names no encoding, or one that nobody knows, may be either. */
function dataOf(sent: string, encoding: string, type: string | undefined): Data | undefined {
  if (encoding.startsWith('HEX')) {
    const digits = sent.replaceAll(/\s/g, '')
    return isHex(digits) ? { data: Buffer.from(digits, 'hex').toString('base64') } : undefined
  }
  const isNamed = encoding.includes('64')
  if (!encoding.startsWith('A')) {
    // Base64 has none of the separators, so what was escaped is only line ends. Some senders leave out the signs at its end.
    const digits = sent.replaceAll(/\s/g, '')
    const data = isNamed ? digits.padEnd(Math.ceil(digits.length / 4) * 4, '=') : digits
    if (isBase64(data) && (isNamed || !isWord(data, type))) return { data }
  }
  return isNamed ? undefined : { data: Buffer.from(sent).toString('base64'), isText: true }
}

/** `Negative` and `No growth seen` have only signs of Base64, but what these would stand for is no text. Longer ones have a full stop. */
const isWord = (data: string, type = ''): boolean =>
  type.startsWith('text/') && data.length < 200 && !isUtf8(Buffer.from(data, 'base64'))

/** Whatever it was written in before. */
const inUtf8 = (type: string | undefined): string | undefined => type?.replace(/;.*/, '; charset=utf-8')

// Both look for the sign that does not belong: a pattern that has to take millions of signs may lack the room to.
const isHex = (text: string): boolean => text !== '' && text.length % 2 === 0 && !/[^0-9a-f]/i.test(text)

const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 &&
  /(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)$/.test(text.slice(-2)) &&
  !/[^A-Za-z0-9+/]/.test(text.slice(0, -2))

/** A media type as such, with its parameters, or made of type and subtype. */
function contentType(type: string | undefined, kind: string | undefined): string | undefined {
  // Neither half of a media type is longer (RFC 6838).
  const words = [kind, type].map((word) => word?.trim() ?? '').filter((word) => word !== '' && word.length <= 255)
  for (const word of words) {
    const [name = '', ...parameters] = word.split(';').map((piece) => piece.trim())
    if (/^[a-z]+\/[a-z0-9.+-]+$/i.test(name)) {
      return [name.toLowerCase(), ...parameters.filter((one) => /^[^\s=]+=\S+$/.test(one))].join('; ')
    }
    const known = rowOf(subtype, word)
    if (known !== undefined) return known
  }
  const [minor, major] = words
  return major !== undefined && /^(application|audio|image|text|video)$/i.test(major)
    ? `${major}/${minor}`.toLowerCase().replaceAll(/[^a-z0-9/.+-]/g, '-')
    : undefined
}
