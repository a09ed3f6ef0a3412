import type { Definitions } from '../definitions.ts'
import type { Issue } from './issue.ts'
import { objectChecks } from './objects.ts'
import { type Check, type Node, Report } from './report.ts'

/** Everything that is wrong with a resource; an empty list if nothing is. Never throws. */
export type Validate = (resource: unknown) => readonly Issue[]

/** Prepares a validator of R4 resources. It keeps its working memory, so one serves one thread. */
export function createValidate(definitions: Definitions): Validate {
  const report = new Report()
  const checkOf = objectChecks({ definitions, checkResource: (value, at) => checkInner(value, at) })

  const checkTyped: Check = (value, at) => {
    const type = resourceTypeOf(value)
    if (type !== undefined && definitions.resourceTypes.has(type)) checkOf(type)(value, at)
    else at.error('structure', 'Give a resource: a JSON object whose resourceType is a type of R4.')
  }

  /** A contained resource shares its container's references; any other resource inside is a world of its own. */
  const checkInner: Check = (value, at) => {
    const { root: outer, isInTransaction } = at
    if (at.member !== 'contained') {
      at.root = typeof value === 'object' && value !== null ? (value as Node) : {}
      at.isInTransaction = outer['resourceType'] === 'Bundle' && outer['type'] === 'transaction'
    }
    checkTyped(value, at)
    at.root = outer
    at.isInTransaction = isInTransaction
  }

  return (resource) => {
    const root = typeof resource === 'object' && resource !== null ? (resource as Node) : {}
    report.start(root, resourceTypeOf(resource) ?? 'Resource')
    checkTyped(resource, report)
    return report.issues
  }
}

function resourceTypeOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const type = (value as Node)['resourceType']
  return typeof type === 'string' && /^[A-Za-z]{1,64}$/.test(type) ? type : undefined
}
