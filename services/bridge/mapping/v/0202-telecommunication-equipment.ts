import type { CodeMap } from '../code-map.ts'

/** HL7 table 0202 to contact-point-system; a cell phone is a phone of use mobile. */
export const telecommunicationEquipment: CodeMap<{
  readonly system: 'phone' | 'fax' | 'email' | 'pager' | 'other'
  readonly use?: 'mobile'
}> = {
  table: '0202',
  name: 'Telecommunication Equipment Type',
  rows: {
    PH: { system: 'phone' },
    FX: { system: 'fax' },
    BP: { system: 'pager' },
    CP: { system: 'phone', use: 'mobile' },
    INTERNET: { system: 'email' },
    'X.400': { system: 'email' },
    MD: { system: 'other' },
    SAT: { system: 'other' },
    TDD: { system: 'other' },
    TTY: { system: 'other' },
  },
}
