import type { DrugFields } from '../drug-fields.ts'
import { cweOf, cwe } from '../dt/cwe.ts'
import { si } from '../dt/si.ts'
import { rowOf } from '../code-map.ts'
import { row, type SegmentMap } from '../segment-map.ts'
import { substitution } from '../v/0167-substitution.ts'
import { prescriber } from './rxe.ts'

/** RXO to MedicationRequest, for an order that no pharmacy has encoded yet. With an RXE beside it, that one counts. */
export const rxoToMedicationRequest: SegmentMap = {
  segment: 'RXO',
  resource: 'MedicationRequest',
  rows: [
    row(9, 'Allow Substitutions', 'substitution.allowedBoolean', (part) => {
      const code = part.text(1)?.trim().toUpperCase() ?? ''
      // In table 0161 this is no: substitutes are not authorised.
      return code === 'N' ? false : rowOf(substitution, code)
    }),
    row(13, 'Number of Refills', 'dispenseRequest.numberOfRepeatsAllowed', si),
    row(14, "Ordering Provider's DEA Number", 'requester', prescriber),
    row(20, 'Indication', 'reasonCode[]', cwe),
    row(27, 'Pharmacy Order Type', 'category[]', cweOf('0480')),
  ],
}

export const rxoFields: DrugFields = {
  drug: 1,
  doseMin: 2,
  doseMax: 3,
  doseUnit: 4,
  form: 5,
  instructions: 7,
  amount: 11,
  amountUnit: 12,
  verifier: 15,
  per: 17,
  strength: 18,
  strengthUnit: 19,
  rate: 21,
  rateUnit: 22,
  dailyDose: 23,
  otherDrug: 24,
  volume: 25,
  volumeUnit: 26,
}
