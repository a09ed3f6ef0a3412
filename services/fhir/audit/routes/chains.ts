import { missing } from '../../../../packages/faults/fault.ts'
import { instant, integer, list, object, oneOf, optional, uuid } from '../../../../packages/http/fields.ts'
import { route } from '../../../../packages/http/route.ts'
import { roleWithScope } from '../../../../packages/http/who.ts'
import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { readChains } from '../store/audit-chains.ts'
import { breaches, verifyChains } from '../verify-chain.ts'

interface ChainDeps {
  readonly database: Queryable
}

const tags = ['audit log'] as const
const who = roleWithScope('ADMIN', 'user/AuditEvent.rs', 'system/AuditEvent.rs')

const listChains = route({
  method: 'GET',
  path: '/api/audit/chains',
  who,
  tags,
  summary: 'The chains of the audit log, one a process that wrote to it, the oldest first',
  output: {
    200: object({ chains: list(object({ chain: uuid(), startedAt: instant(), length: integer({ min: 0 }) })) }),
  },
  run: async (_input, { database }: ChainDeps) => {
    const chains = await readChains(database)
    return {
      chains: chains.map(({ chain, startedAt, head }) => ({
        chain,
        startedAt: startedAt.toISOString(),
        length: head.length,
      })),
    }
  },
})

const verify = route({
  method: 'GET',
  path: '/api/audit/chains/:chain/verify',
  who,
  tags,
  summary: 'Whether anything was taken out of a chain or altered, and where',
  description: 'Every hash is made anew from what is kept: a second for some ten thousand events.',
  input: { params: { chain: uuid() } },
  output: {
    200: object({
      chain: uuid(),
      is: oneOf(['whole', 'broken']),
      length: optional(integer({ min: 0 })),
      position: optional(integer({ min: 0, description: 'Where it does not fit any more.' })),
      why: optional(oneOf([...breaches])),
    }),
  },
  run: async ({ params }, { database }: ChainDeps) => {
    const [verdict] = await verifyChains(database, params.chain)
    if (verdict === undefined) throw missing('There is no such chain.')
    return verdict
  },
})

export const auditRoutes = [listChains, verify] as const
