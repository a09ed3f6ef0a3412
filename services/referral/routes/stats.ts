import { integer, object } from '../../../packages/http/fields.ts'
import { roles } from '../../../packages/http/who.ts'
import { countByStatus } from '../store/referral-lists.ts'
import { referralRoute } from './referral-route.ts'

export const stats = referralRoute({
  method: 'GET',
  path: '/api/referrals/stats',
  who: roles('ADMIN'),
  summary: 'How many referrals there are in each status',
  output: {
    200: object({
      draft: integer(),
      active: integer(),
      completed: integer(),
      revoked: integer(),
      onHold: integer(),
    }),
  },
  run: async (_input, deps) => {
    const counts = await countByStatus(deps.database)
    return {
      draft: counts.DRAFT,
      active: counts.ACTIVE,
      completed: counts.COMPLETED,
      revoked: counts.REVOKED,
      onHold: counts.ONHOLD,
    }
  },
})
