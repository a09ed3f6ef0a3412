import { Type } from 'typebox'
import { object } from '../../../packages/http/fields.ts'
import { roles } from '../../../packages/http/who.ts'
import { consentRoute } from '../deps.ts'
import { readStats } from '../store/stats.ts'

export const stats = consentRoute({
  method: 'GET',
  path: '/api/consent/admin/stats',
  who: roles('ADMIN'),
  summary: 'How many consents and decisions there are',
  tags: ['Administration'],
  output: {
    200: object({ activeCount: Type.Integer(), revokedCount: Type.Integer(), totalDecisions: Type.Integer() }),
  },
  run: async (_input, { audit, database }) => {
    // Decisions are counted as they are written down; who has just asked expects to be counted.
    await audit.written()
    return readStats(database)
  },
})
