import type { CodeMap } from '../code-map.ts'

/** HL7 table 0438 to allergyintolerance-verification and -clinical. */
export const allergyClinicalStatus: CodeMap<{
  readonly verification: 'unconfirmed' | 'confirmed' | 'refuted' | 'entered-in-error'
  readonly clinical?: 'active' | 'inactive'
}> = {
  table: '0438',
  name: 'Allergy Clinical Status',
  rows: {
    U: { verification: 'unconfirmed', clinical: 'active' },
    P: { verification: 'unconfirmed', clinical: 'active' },
    S: { verification: 'unconfirmed', clinical: 'active' },
    C: { verification: 'confirmed', clinical: 'active' },
    I: { verification: 'confirmed', clinical: 'inactive' },
    D: { verification: 'unconfirmed', clinical: 'active' },
    E: { verification: 'entered-in-error' },
  },
}
