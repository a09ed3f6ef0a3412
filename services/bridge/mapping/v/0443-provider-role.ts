import type { CodeMap } from '../code-map.ts'

/** HL7 table 0443 to v3-ParticipationType. */
export const providerRole: CodeMap<{ readonly code: string; readonly display: string }> = {
  table: '0443',
  name: 'Provider Role',
  rows: {
    AD: { code: 'ADM', display: 'admitter' },
    AT: { code: 'ATND', display: 'attender' },
    CP: { code: 'CON', display: 'consultant' },
    RP: { code: 'REF', display: 'referrer' },
    RT: { code: 'REF', display: 'referrer' },
    PP: { code: 'PPRF', display: 'primary performer' },
    FHCP: { code: 'PPRF', display: 'primary performer' },
    PT: { code: 'PART', display: 'Participation' },
  },
}
