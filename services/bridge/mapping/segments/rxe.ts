import type { Identifier, Reference } from '../../../../packages/fhir/r4.ts'
import { readXcn, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { by } from '../code-map.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { si } from '../dt/si.ts'
import { dateTime } from '../dt/ts.ts'
import { practitioner } from '../dt/xcn.ts'
import { organization } from '../dt/xon.ts'
import type { DrugFields } from '../drug-fields.ts'
import { ownExtensionRow } from '../extensions.ts'
import { readableKey } from '../drafted-keys.ts'
import { keyIdentifier } from '../keys.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { substitution } from '../v/0167-substitution.ts'

/** RXE to MedicationRequest. The drug, its dose and amounts are several fields each: `rxeFields`. */
export const rxeToMedicationRequest: SegmentMap = {
  segment: 'RXE',
  resource: 'MedicationRequest',
  rows: [
    row(9, 'Substitution Status', 'substitution.allowedBoolean', by(substitution)),
    row(12, 'Number of Refills', 'dispenseRequest.numberOfRepeatsAllowed', si),
    row(13, "Ordering Provider's DEA Number", 'requester', prescriber),
    row(15, 'Prescription Number', 'identifier[]', prescriptionNumber),
    row(27, 'Give Indication', 'reasonCode[]', cwe),
    dateRow(32, 'Original Order Date/Time', 'authoredOn', dateTime),
    ownExtensionRow(35, 'Controlled Substance Schedule', 'controlled-substance', 'valueCodeableConcept', cweOf('0477')),
    row(40, 'Dispensing Pharmacy', 'dispenseRequest.performer', pharmacy),
    row(44, 'Pharmacy Order Type', 'category[]', cweOf('0480')),
  ],
}

export const rxeFields: DrugFields = {
  drug: 2,
  doseMin: 3,
  doseMax: 4,
  doseUnit: 5,
  form: 6,
  instructions: 7,
  amount: 10,
  amountUnit: 11,
  verifier: 14,
  dailyDose: 19,
  dispensing: 21,
  per: 22,
  rate: 23,
  rateUnit: 24,
  strength: 25,
  strengthUnit: 26,
  otherDrug: 31,
  volume: 33,
  volumeUnit: 34,
  firstAmount: 39,
}

/** The number by which a prescriber may prescribe controlled substances; the name beside it. */
export function prescriber(part: Part, place: At): Reference | undefined {
  const read = readXcn(part)
  return practitioner(read && { ...read, idType: read.idType ?? 'DEA' }, place)
}

export const prescriptionNumberText = 'Prescription number'

function prescriptionNumber(part: Part, { draft }: At): Identifier | undefined {
  const number = part.text(1)?.trim()
  if (number === undefined || number === '') return undefined
  // Table 0203 has no code for it.
  return { type: { text: prescriptionNumberText }, ...keyIdentifier(readableKey(draft, 'prescription', number)) }
}

/** RXE-40 is coded: the pharmacy's number and name. */
function pharmacy(part: Part, place: At): Reference | undefined {
  const id = part.text(1)
  const name = part.componentText(2)
  const said = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) }
  return organization({ ...said, authority: { namespace: 'pharmacy' } }, place)
}
