import type { CodeMap } from '../code-map.ts'

/** HL7 table 0335 to the repeat of a Timing, for the patterns that say how often. `Q6H` and its like go by rule (`dt/rpt.ts`). */
export const repeatPattern: CodeMap<{
  readonly frequency: number
  readonly period: number
  readonly periodUnit: 'h' | 'd' | 'wk'
}> = {
  table: '0335',
  name: 'Repeat Pattern',
  rows: {
    QD: { frequency: 1, period: 1, periodUnit: 'd' },
    BID: { frequency: 2, period: 1, periodUnit: 'd' },
    TID: { frequency: 3, period: 1, periodUnit: 'd' },
    QID: { frequency: 4, period: 1, periodUnit: 'd' },
    QAM: { frequency: 1, period: 1, periodUnit: 'd' },
    QPM: { frequency: 1, period: 1, periodUnit: 'd' },
    QHS: { frequency: 1, period: 1, periodUnit: 'd' },
    QSHIFT: { frequency: 1, period: 8, periodUnit: 'h' },
    QOD: { frequency: 1, period: 2, periodUnit: 'd' },
    QH: { frequency: 1, period: 1, periodUnit: 'h' },
    QW: { frequency: 1, period: 1, periodUnit: 'wk' },
  },
}
