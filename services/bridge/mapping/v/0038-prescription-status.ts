import type { CodeMap } from '../code-map.ts'

/** HL7 table 0038 to medicationrequest-status. */
export const prescriptionStatus: CodeMap<
  'active' | 'on-hold' | 'cancelled' | 'completed' | 'stopped' | 'entered-in-error'
> = {
  table: '0038',
  name: 'Order Status',
  rows: {
    A: 'active',
    IP: 'active',
    SC: 'active',
    CA: 'cancelled',
    RP: 'cancelled',
    CM: 'completed',
    DC: 'stopped',
    ER: 'entered-in-error',
    HD: 'on-hold',
  },
}
