import type { Issue } from './issue.ts'

/** The characters that give a message its structure. An empty text means that the message has none for that role. */
export interface Delimiters {
  readonly field: string
  readonly component: string
  readonly repetition: string
  readonly escape: string
  readonly subcomponent: string
  readonly truncation: string
}

export const standardDelimiters: Delimiters = {
  field: '|',
  component: '^',
  repetition: '~',
  escape: '\\',
  subcomponent: '&',
  truncation: '',
}

/** MSH-2: the encoding characters in their order. */
export function encodingCharacters(delimiters: Delimiters): string {
  const { component, repetition, escape, subcomponent, truncation } = delimiters
  return `${component}${repetition}${escape}${subcomponent}${truncation}`
}

export interface ReadDelimiters {
  readonly delimiters: Delimiters
  readonly issues: readonly Issue[]
}

/** Reads MSH-1 and MSH-2 of a header segment that begins at `start`; an issue alone when no structure can be had. */
export function readDelimiters(text: string, start: number): ReadDelimiters | Issue {
  if (text.startsWith(standardHead, start + 3)) return standardRead
  const field = text.charAt(start + 3)
  if (!canDelimit(field)) return fatal(1, 'MSH-1, the field separator, is missing or is not a separator.')
  const sent = encodingIn(text.slice(start + 4, start + 20), field)
  const issues: Issue[] = []
  if (sent === '' && encodingCharacters(standardDelimiters).includes(field)) {
    return fatal(2, 'MSH-2, the encoding characters, is empty, and MSH-1 is one of the standard ones.')
  }
  if (sent === '') {
    issues.push(warning('101', 'MSH-2, the encoding characters, is empty; the standard ones are assumed.'))
    return { delimiters: { ...standardDelimiters, field }, issues }
  }
  // A literal copied out of source code doubles its backslash; the doubled sign can only mean the one sign.
  const characters = sent.replaceAll(/(.)\1+/gsu, '$1')
  if (characters !== sent) issues.push(warning('102', 'MSH-2 repeats an encoding character; it is read once.'))
  if (!canAllDelimit(characters)) {
    return fatal(2, 'MSH-2 must hold different punctuation characters, as in ^~\\&.')
  }
  if (characters.length > 5) issues.push(warning('102', 'MSH-2 holds more than five encoding characters.'))
  if (characters.length < 4) issues.push(warning('102', 'MSH-2 holds fewer than four encoding characters.'))
  return { delimiters: assign(field, characters), issues }
}

const standardHead = '|^~\\&|'
const standardRead: ReadDelimiters = { delimiters: standardDelimiters, issues: [] }

function assign(field: string, characters: string): Delimiters {
  const component = characters.charAt(0)
  const repetition = characters.charAt(1)
  // Three characters that end in & come from systems without an escape character; & never means escape.
  if (characters.length === 3 && characters.endsWith('&')) {
    return { field, component, repetition, escape: '', subcomponent: '&', truncation: '' }
  }
  const [escape, subcomponent, truncation] = [characters.charAt(2), characters.charAt(3), characters.charAt(4)]
  return { field, component, repetition, escape, subcomponent, truncation }
}

/** Every character can separate, and none has two roles. */
export function canAllDelimit(characters: string): boolean {
  return !cannotDelimit.test(characters) && new Set(characters).size === characters.length
}

function canDelimit(character: string): boolean {
  return character !== '' && !cannotDelimit.test(character)
}

/** Letters, digits, white space, quotes and the signs of MLLP occur in data or mean something else. */
const cannotDelimit = /[\p{L}\p{N}\p{Cs}\s"\u000b\u001c\ufeff\ufffd]/u

/** What comes before the next field, or before the end of the segment. */
function encodingIn(rest: string, field: string): string {
  for (let at = 0; at < rest.length; at++) {
    const sign = rest.charAt(at)
    if (sign === field || sign === '\r' || sign === '\n') return rest.slice(0, at)
  }
  return rest
}

const fatal = (field: number, text: string): Issue => ({
  code: field === 1 ? '100' : '102',
  severity: 'E',
  text,
  location: { segment: 'MSH', sequence: 1, field },
})

const warning = (code: '101' | '102', text: string): Issue => ({
  code,
  severity: 'W',
  text,
  location: { segment: 'MSH', sequence: 1, field: 2 },
})
