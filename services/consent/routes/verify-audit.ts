import { Type } from 'typebox'
import { list, object, uuid } from '../../../packages/http/fields.ts'
import { roles } from '../../../packages/http/who.ts'
import { verifyChains } from '../audit/verify-chains.ts'
import { consentRoute } from '../deps.ts'

export const verifyAudit = consentRoute({
  method: 'GET',
  path: '/api/consent/admin/audit/verify',
  who: roles('ADMIN'),
  summary: 'Whether the audit trail is whole',
  description: 'Goes over every row. A row that was edited, removed or put in breaks its chain.',
  tags: ['Administration'],
  output: {
    200: object({
      events: Type.Integer(),
      chains: Type.Integer(),
      broken: list(object({ chain: uuid(), position: Type.Integer() })),
    }),
  },
  run: async (_input, { audit, database }) => {
    await audit.written()
    return verifyChains(database)
  },
})
