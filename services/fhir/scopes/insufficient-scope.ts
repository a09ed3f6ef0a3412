import { forbidden, type Fault } from '../../../packages/faults/fault.ts'
import type { AccessConditions, Right } from './access.ts'

/**
 * The refusal of RFC 6750 for who has no scope at all for the type, naming one that would help. Who has one is never
 * told of what lies beyond it: a resource out of reach is a resource that is not there.
 */
export function insufficientScope(access: AccessConditions, type: string, right: Right): Fault {
  if (type === 'AuditEvent') return logIsClosed(access, right)
  if (type !== '*' && access.isGrantable?.(type, right) === false) return beyondScopes(access, type, right)
  const scope = `${access.context ?? 'user'}/${type}.${right}`
  return forbidden(
    `The access token does not let you ${wording[right]} ${type} resources: it lacks the scope ${scope}.`,
    {
      code: 'insufficient_scope',
      scopes: [scope],
    },
  )
}

/**
 * Nothing to ask for: into what may be anybody's, nobody is let who is confined to one patient (0250), and to where the
 * record is sent nobody but those who run the platform.
 */
const beyondScopes = ({ context = 'user' }: AccessConditions, type: string, right: Right) =>
  forbidden(
    `The access token does not let you ${wording[right]} ${type} resources, and ${
      type === 'Subscription'
        ? 'no scope does: they are for people with the role ADMIN, and for programs.'
        : `no ${context}/ scope lets its bearer.`
    }`,
    { code: 'insufficient_scope' },
  )

/** The log asks for more than a scope, and of some things no scope makes an exception. */
function logIsClosed({ context = 'user' }: AccessConditions, right: Right): Fault {
  const sentence = `${closed[right]}: you cannot ${wording[right]} AuditEvent resources.`
  const scope =
    right === 'c' ? `system/AuditEvent.c` : `${context === 'system' ? 'system' : 'user'}/AuditEvent.${right}`
  return forbidden(sentence, {
    code: 'insufficient_scope',
    ...(right === 'u' || right === 'd' ? {} : { scopes: [scope] }),
  })
}

const readers = 'The audit log is read by people with the role ADMIN, and by programs, with a scope for AuditEvent'
const closed: Readonly<Record<Right, string>> = {
  c: 'The audit log is added to by programs with the role SYSTEM or ADMIN and the scope system/AuditEvent.c',
  r: readers,
  s: readers,
  u: 'The audit log is written by Corridor only',
  d: 'The audit log is written by Corridor only',
}

const wording: Readonly<Record<Right, string>> = { c: 'create', r: 'read', u: 'update', d: 'delete', s: 'search' }
