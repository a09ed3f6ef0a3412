import { eastAsianCharsets, oneByteCharsets, utf8, type Charset } from '../../../packages/hl7/index.ts'

/**
 * The bytes that a text may be written with in a message: in each character set that has all of its letters, as it is, in
 * capitals, and with a capital at the beginning of each word. The bytes of the log have no letters that the database could
 * compare: most senders write names in capitals, and whoever looks for one does not. Each form is one more look through
 * all messages.
 */
export function writtenAs(text: string): Buffer[] {
  const forms = new Set([text, text.toUpperCase(), capitalised(text)])
  const all = [...forms].flatMap((form) => charsetsFor(form).flatMap((set) => encoded(form, set)))
  return [...new Map(all.map((bytes) => [bytes.toString('hex'), bytes])).values()]
}

const capitalised = (text: string): string =>
  text.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())

function charsetsFor(text: string): readonly Charset[] {
  if (/^[\0-\u007f]*$/.test(text)) return [utf8]
  return [utf8, ...(/[\u2e80-\u{3ffff}]/u.test(text) ? eastAsianCharsets : oneByteCharsets)]
}

/** A set that lacks one of the letters writes another in its place. */
const encoded = (text: string, set: Charset): Buffer[] => {
  const bytes = set.encode(text)
  return set.decode(bytes) === text ? [Buffer.from(bytes)] : []
}
