import type { CodeMap } from '../code-map.ts'

/**
 * HL7 table 0119 to medicationrequest-status, which knows more endings than other orders do. What is only asked for, or changed,
 * stands in `0119-prescription-request.ts`; to what SC changes the status says ORC-5.
 */
export const prescriptionControl: CodeMap<'active' | 'on-hold' | 'cancelled' | 'stopped'> = {
  table: '0119',
  name: 'Order Control Codes',
  rows: {
    NW: 'active',
    OK: 'active',
    AF: 'active',
    FU: 'active',
    RL: 'active',
    OE: 'active',
    RO: 'active',
    CA: 'cancelled',
    CR: 'cancelled',
    OC: 'cancelled',
    RP: 'cancelled',
    RQ: 'cancelled',
    RU: 'cancelled',
    UA: 'cancelled',
    DC: 'stopped',
    DR: 'stopped',
    OD: 'stopped',
    HD: 'on-hold',
    HR: 'on-hold',
    OH: 'on-hold',
  },
}
