import type { CodeMap } from '../code-map.ts'

/** HL7 table 0119 to request-status. CA and HD only ask for something (`0119-order-request.ts`). */
export const orderControl: CodeMap<'active' | 'on-hold' | 'revoked' | 'completed'> = {
  table: '0119',
  name: 'Order Control Codes',
  rows: {
    NW: 'active',
    OK: 'active',
    AF: 'active',
    PR: 'active',
    PY: 'active',
    RL: 'active',
    RO: 'active',
    RQ: 'active',
    CR: 'revoked',
    DC: 'revoked',
    DF: 'revoked',
    DR: 'revoked',
    OC: 'revoked',
    OD: 'revoked',
    HR: 'on-hold',
    OH: 'on-hold',
    FU: 'completed',
  },
}
