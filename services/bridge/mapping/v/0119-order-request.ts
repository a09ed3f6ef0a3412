import type { CodeMap } from '../code-map.ts'

/** HL7 table 0119: what a placer asks for and the filler has still to do, to request-status where nobody knows the order. */
export const orderRequest: CodeMap<'on-hold' | 'revoked'> = {
  table: '0119',
  name: 'Order Control Codes',
  rows: { CA: 'revoked', HD: 'on-hold' },
}
