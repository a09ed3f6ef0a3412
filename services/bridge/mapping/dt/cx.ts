import type { Extension, Identifier } from '../../../../packages/fhir/r4.ts'
import { readCx, type Part } from '../../../../packages/hl7/index.ts'
import { type At, fieldOf } from '../at.ts'
import { codeText, identifier } from '../code-map.ts'
import { systemOf } from './hd.ts'
import { periodOf } from './ts.ts'

/** CX: an identifier with its authority. Without a value it is none. */
export function cx(part: Part | undefined, place: At): Identifier | undefined {
  return read(part, place, undefined)
}

/** CX in a field whose kind is known (`SS`, `DL`, `VN`): used where the sender names none. */
export const cxAs =
  (kind: string) =>
  (part: Part | undefined, place: At): Identifier | undefined =>
    read(part, place, kind)

/** CX in a field that names what another one numbers (MRG-1 what PID-3 does): a bare number is one of that field. */
export const cxOf =
  (field: string) =>
  (part: Part | undefined, place: At): Identifier | undefined =>
    read(part, place, undefined, field)

function read(
  part: Part | undefined,
  place: At,
  kind: string | undefined,
  field = fieldOf(place),
): Identifier | undefined {
  const sent = readCx(part)
  const value = sent?.value?.trim()
  if (sent === undefined || value === undefined || value === '') return undefined
  const type = codeText(sent.type) ?? kind
  const system = systemOf(sent.authority, type ?? field, place.draft.context)
  const found = identifier(type, system, value)
  const period = periodOf(sent.effective, sent.expires, place)
  if (period !== undefined) found.period = period
  if (sent.facility?.namespace !== undefined) found.assigner = { display: sent.facility.namespace }
  const digits = checkDigit(sent)
  if (digits.length > 0) found.extension = digits
  return found
}

/** CX.2 and CX.3, where the implementation guide has them. */
function checkDigit({
  checkDigit: digit,
  checkDigitScheme: scheme,
}: NonNullable<ReturnType<typeof readCx>>): Extension[] {
  const said = [
    { url: checkDigitUrl, valueString: digit },
    { url: checkDigitSchemeUrl, valueString: scheme },
  ]
  return said.filter((one): one is { url: string; valueString: string } => one.valueString !== undefined)
}

export const checkDigitUrl = 'http://hl7.org/fhir/StructureDefinition/identifier-checkDigit'
export const checkDigitSchemeUrl = 'http://hl7.org/fhir/StructureDefinition/namingsystem-checkDigit'
