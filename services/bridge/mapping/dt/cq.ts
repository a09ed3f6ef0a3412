import type { Quantity } from '../../../../packages/fhir/r4.ts'
import { decimalOf } from '../../../../packages/fhir/parse-json.ts'
import { readCq, type Code, type Coded, type Part } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'
import { trimmed } from '../clean-text.ts'
import { codeText, rowOf } from '../code-map.ts'
import { originalValue } from '../segment-map.ts'
import { ucum } from '../terms.ts'
import { codeSystem } from './cwe.ts'
import { unit } from '../v/units.ts'

/** CQ: a number with its unit. */
export function cq(part: Part | undefined, place: At): Quantity | undefined {
  const read = readCq(part)
  return read?.value === undefined ? unreadAmount(part, read?.unit, place) : quantity(read.value, read.unit, place)
}

/**
 * What is no number (`1,5`), with a warning: its unit, and beside it what was sent, so that the amount that was told before
 * does not hold any longer. Undefined where nothing was sent.
 */
export function unreadAmount(part: Part | undefined, unitSent: Coded | undefined, place: At): Quantity | undefined {
  const sent = trimmed(part?.text(1))
  if (sent === undefined) return undefined
  warnAt(place, 'bad-number', 'This is not a number; it was kept as it was sent.')
  return {
    extension: [{ url: place.draft.extensionUrl(originalValue), valueString: sent }],
    ...unitOf(unitSent, place),
  }
}

/** Of an amount whose number could not be read: what was sent in its place. */
export const sentInPlace = ({ value, extension = [] }: Quantity): string | undefined =>
  value === undefined ? extension.find(({ url }) => url.endsWith(`/${originalValue}`))?.valueString : undefined

/** A decimal text and its unit (as of CQ.2 and OBX-6); the unit has a code where it is known to be UCUM. */
export const quantity = (value: string, unitSent: Coded | undefined, place: At): Quantity => ({
  value: decimal(value),
  ...unitOf(unitSent, place),
})

function unitOf(unitSent: Coded | undefined, place: At): Pick<Quantity, 'unit' | 'system' | 'code'> {
  const sent = unitSent?.codes?.[0]
  const text = sent?.code ?? sent?.display
  if (text === undefined) return {}
  const code = ucumCode(text, sent, place)
  const shown = { unit: sent?.display ?? text }
  return code === undefined ? shown : { ...shown, system: ucum, code }
}

/** As the sender says, by our table, or by the terminology; a unit that none of them knows keeps its text. */
function ucumCode(text: string, sent: Code | undefined, place: At): string | undefined {
  const known = sent?.system?.toUpperCase() === 'UCUM' ? codeText(sent.code) : rowOf(unit, text)
  if (known !== undefined) return known
  const asked = codeText(text)
  if (asked === undefined) return undefined
  const system = codeSystem(sent?.system, place)
  const answer = place.draft.lookUp({ target: ucum, system, code: asked }, place)
  if (answer === undefined) warnAt(place, 'not-looked-up', `The unit was not looked up in ${ucum}.`)
  else if (answer === 'unmapped') warnAt(place, 'unmapped-code', `The unit has no counterpart in ${ucum}.`)
  else return answer[0]?.code
  return undefined
}

/** The decimal with every digit that was sent. R4's types know only numbers; the writer of JSON knows both. */
export const decimal = (text: string): number => decimalOf(text) as number
