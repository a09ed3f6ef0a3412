import type { CodeMap } from '../code-map.ts'

/** HL7 table 0119: what a placer asks for and the filler has still to do, to request-status where nobody knows the order. */
export const orderRequest: CodeMap<'active'> = {
  table: '0119',
  name: 'Order Control Codes',
  rows: { CA: 'active', HD: 'active' },
}
