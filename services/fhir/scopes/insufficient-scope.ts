import { forbidden, type Fault } from '../../../packages/faults/fault.ts'
import type { AccessConditions, Right } from './access.ts'

/**
 * The refusal of RFC 6750 for who has no scope at all for the type, naming one that would help. Who has one is never
 * told of what lies beyond it: a resource out of reach is a resource that is not there.
 */
export function insufficientScope(access: AccessConditions, type: string, right: Right): Fault {
  if (type === 'AuditEvent' && (right === 'c' || right === 'u' || right === 'd')) return logIsClosed(right)
  const scope = `${access.context ?? 'user'}/${type}.${right}`
  return forbidden(
    `The access token does not let you ${wording[right]} ${type} resources: it lacks the scope ${scope}.`,
    {
      code: 'insufficient_scope',
      scopes: [scope],
    },
  )
}

/** No scope would help. */
const logIsClosed = (right: 'c' | 'u' | 'd'): Fault =>
  forbidden(`The audit log is written by Corridor only: you cannot ${wording[right]} AuditEvent resources.`, {
    code: 'insufficient_scope',
  })

const wording: Readonly<Record<Right, string>> = { c: 'create', r: 'read', u: 'update', d: 'delete', s: 'search' }
