import { isFhirId } from '../fhir-id.ts'
import { daysIn } from '../../clock/days-in.ts'
import { digits } from '../date.ts'
import { decimalLengthMax, decimalPattern } from '../number.ts'
import { Decimal } from '../parse-json.ts'
import { controlCharacters } from '../string.ts'
import { narrativeFault } from './narrative.ts'
import type { Check, Report } from './report.ts'

/** One check a primitive type; each says in its message how the value is written. */
export const primitiveChecks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['boolean', valueCheck((value) => typeof value === 'boolean', 'Write true or false, without quotes.')],
  ['integer', valueCheck(isInteger(-2_147_483_648), 'Write a whole number of at most 32 bits, without quotes.')],
  ['unsignedInt', valueCheck(isInteger(0), 'Write a whole number from 0 to 2147483647, without quotes.')],
  ['positiveInt', valueCheck(isInteger(1), 'Write a whole number from 1 to 2147483647, without quotes.')],
  [
    'decimal',
    valueCheck(isDecimal, `Write a decimal number of at most ${decimalLengthMax} characters, without quotes.`),
  ],
  ['string', checkString],
  ['markdown', checkString],
  ['xhtml', checkXhtml],
  ['code', textCheck(isCode, 'Write a code without white space at its ends or twice inside.')],
  ['id', textCheck(isFhirId, 'Write an id of 1 to 64 letters, digits, hyphens and points.')],
  ['uri', longTextCheck(isUri, 'Write a URI without white space.')],
  ['url', longTextCheck(isUri, 'Write a URL without white space.')],
  ['canonical', longTextCheck(isUri, 'Write a canonical URL without white space.')],
  ['oid', textCheck((text) => oidPattern.test(text), 'Write an OID as urn:oid:1.2.3.')],
  [
    'uuid',
    textCheck((text) => uuidPattern.test(text), 'Write a UUID as urn:uuid: and 36 small letters, digits, hyphens.'),
  ],
  ['date', textCheck(isDate, 'Write a date that exists, as YYYY, YYYY-MM or YYYY-MM-DD.')],
  [
    'dateTime',
    textCheck(isDateTime, 'Write YYYY, YYYY-MM, YYYY-MM-DD or a time with seconds and zone: 2024-05-01T10:30:00Z.'),
  ],
  ['instant', textCheck(isInstant, 'Write a time with seconds and zone: 2024-05-01T10:30:00.000Z.')],
  ['time', textCheck((text) => timePattern.test(text), 'Write a time of day as hh:mm:ss.')],
  ['base64Binary', longTextCheck(isBase64, 'Write base64: groups of four of A-Z, a-z, 0-9, + and /.')],
])

const codePattern = /^\S+(?:\s\S+)*$/
const oidPattern = /^urn:oid:[0-2](?:\.(?:0|[1-9][0-9]*))+$/
const uuidPattern = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const timePattern = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?$/
const datePattern = /^[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?$/
const instantPattern =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]{1,14})?(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))$/
/** JSON can write half of a surrogate pair (`\\ud800`), UTF-8 and the database cannot. */
const halfCharacter = 'The text has half of a character (a lone surrogate). Write whole characters.'
/** R4: a string shall not exceed 1 MB. */
const stringLengthMax = 1_048_576
const tooLong = 'The text is longer than 1 MB.'

function valueCheck(holds: (value: unknown) => boolean, advice: string): Check {
  return (value, report) => {
    if (!holds(value)) report.error('value', advice)
  }
}

/** For types that are strings to R4, which gives those a limit; the patterns of these need one. */
function textCheck(holds: (text: string) => boolean, advice: string): Check {
  const check = longTextCheck(holds, advice)
  return (value, report) => {
    if (typeof value === 'string' && value.length > stringLengthMax) report.error('value', tooLong)
    else check(value, report)
  }
}

function longTextCheck(holds: (text: string) => boolean, advice: string): Check {
  return (value, report) => {
    if (typeof value !== 'string') report.error('value', `This must be a JSON string. ${advice}`)
    else if (!holds(value)) report.error('value', advice)
  }
}

function checkString(value: unknown, report: Report): void {
  if (typeof value !== 'string') {
    report.error('value', 'Write a JSON string.')
    return
  }
  const fault = stringFault(value)
  if (fault !== undefined) report.error('value', fault)
  else if (value.charCodeAt(0) <= 32 && value.trim() === '') {
    report.warning('value', 'The text is only white space. Write text or leave the element out.')
  }
}

function stringFault(text: string): string | undefined {
  if (text.length === 0) return 'The text is empty. Write text or leave the element out.'
  if (text.length > stringLengthMax) return `${tooLong} Use an attachment.`
  return unstorable(text)
}

function checkXhtml(value: unknown, report: Report): void {
  if (typeof value !== 'string') {
    report.error('value', 'Write the narrative as XHTML in a JSON string.')
    return
  }
  const fault = unstorable(value) ?? narrativeFault(value)
  if (fault !== undefined) report.error('invalid', fault, 'txt-1')
}

function isInteger(min: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= 2_147_483_647
}

function isDecimal(value: unknown): boolean {
  return (
    (typeof value === 'number' && Number.isFinite(value)) ||
    (value instanceof Decimal && value.text.length <= decimalLengthMax && decimalPattern.test(value.text))
  )
}

function isUri(text: string): boolean {
  return text.length > 0 && !/\s/.test(text) && unstorable(text) === undefined
}

function isCode(text: string): boolean {
  return codePattern.test(text) && unstorable(text) === undefined
}

/** R4's patterns of URIs, codes and narratives let control characters through; the database keeps no U+0000. */
function unstorable(text: string): string | undefined {
  if (controlCharacters.test(text)) return 'The text has control characters. Remove them.'
  return text.isWellFormed() ? undefined : halfCharacter
}

function isDate(text: string): boolean {
  return datePattern.test(text) && dayExists(text)
}

function isDateTime(text: string): boolean {
  return text.length > 10 ? isInstant(text) : isDate(text)
}

function isInstant(text: string): boolean {
  return instantPattern.test(text) && dayExists(text)
}

/** The patterns allow the 31st of every month and the year 0. */
function dayExists(text: string): boolean {
  const year = digits(text, 0, 4)
  if (year === 0) return false
  if (text.length < 10) return true
  const day = digits(text, 8, 2)
  return day <= 28 || day <= daysIn(year, digits(text, 5, 2))
}

function isBase64(text: string): boolean {
  // Nothing here can match a space in two ways, so a long run of them costs no more than its length.
  if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(text)) return false
  const length = /\s/.test(text) ? text.replace(/\s/g, '').length : text.length
  return length > 0 && length % 4 === 0
}
