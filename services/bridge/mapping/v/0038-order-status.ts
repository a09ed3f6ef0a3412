import type { CodeMap } from '../code-map.ts'

/** HL7 table 0038 to request-status. */
export const orderStatus: CodeMap<'active' | 'on-hold' | 'revoked' | 'completed' | 'entered-in-error'> = {
  table: '0038',
  name: 'Order Status',
  rows: {
    A: 'active',
    CA: 'revoked',
    CM: 'completed',
    DC: 'revoked',
    ER: 'entered-in-error',
    HD: 'on-hold',
    IP: 'active',
    RP: 'revoked',
    SC: 'active',
  },
}
