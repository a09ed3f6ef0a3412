import type { Read, Reading } from './reading.ts'

/**
 * YAML reads 0123 and 1.10 as numbers and true as a truth value, and what was written is lost. Where the value is refused
 * and the text as it was written would be taken, quotes are what is missing, and that is said; what else the text lacks is
 * said, too. Where a number or a truth value is a text, the quotes are too much.
 */
export function sayingQuotes<Value>(read: Read<Value>, secret: boolean): Read<Value> {
  return (raw, source, written) => {
    const reading = read(raw, source)
    if ('value' in reading || written === undefined) return reading
    if (typeof raw === 'string') {
      return isNumberOrTruth(read(raw, 'environment')) ? { wrong: `${reading.wrong}, without quotes` } : reading
    }
    const asText = read(written, source)
    if ('wrong' in asText) return typeof raw === 'number' || typeof raw === 'boolean' ? asText : reading
    const [unquoted] = unquotedIn(raw, written)
    if (unquoted === undefined) return reading
    const { text, is } = unquoted
    const wrong = secret
      ? `must be a text, and without quotes YAML reads it as ${is}: put it in quotes`
      : `must be a text, and YAML reads ${text} as ${is}: put it in quotes, "${text}"`
    return { wrong }
  }
}

const isNumberOrTruth = (reading: Reading<unknown>): boolean =>
  'value' in reading && (typeof reading.value === 'number' || typeof reading.value === 'boolean')

interface Unquoted {
  readonly text: string
  readonly is: string
}

function unquotedIn(raw: unknown, written: unknown): Unquoted[] {
  if (Array.isArray(raw) && Array.isArray(written)) return raw.flatMap((item, at) => unquotedIn(item, written[at]))
  if (typeof written !== 'string') return []
  if (typeof raw === 'number') return [{ text: written, is: 'a number' }]
  return typeof raw === 'boolean' ? [{ text: written, is: 'true or false' }] : []
}
