import type { Node } from '../report.ts'
import { has, listAt, type Rule } from './rule.ts'

/** Of every resource that can contain others. */
export const domainResourceRules: readonly Rule[] = [
  {
    id: 'dom-2',
    holds: (resource) => listAt(resource, 'contained').every((inner) => !has(inner, 'contained')),
    advice: 'A contained resource must not contain others. Put all of them into the outer one.',
  },
  {
    id: 'dom-4',
    holds: (resource) =>
      listAt(resource, 'contained').every((inner) => {
        const meta = inner['meta'] as Node | undefined
        return meta === undefined || (meta['versionId'] === undefined && meta['lastUpdated'] === undefined)
      }),
    advice: 'A contained resource has no version and no time of its own. Remove its meta.versionId and lastUpdated.',
  },
  {
    id: 'dom-5',
    holds: (resource) =>
      listAt(resource, 'contained').every((inner) => (inner['meta'] as Node | undefined)?.['security'] === undefined),
    advice: 'A contained resource has no security labels of its own. Label the outer resource.',
  },
  {
    // R4 section 2.3.0.1 in words, not as an invariant: nobody could say which of two a reference means.
    id: 'dom-contained-ids',
    holds: (resource) => {
      const ids = listAt(resource, 'contained').flatMap((inner) => inner['id'] ?? [])
      return new Set(ids).size === ids.length
    },
    advice: 'Two contained resources have the same id. Give each its own.',
  },
  {
    id: 'dom-3',
    holds: everyContainedIsUsed,
    advice: 'Each contained resource needs an id and a reference to it (or must refer to # itself).',
  },
]

function everyContainedIsUsed(resource: Node): boolean {
  const contained = listAt(resource, 'contained')
  if (contained.length === 0) return true
  const targets = new Set<string>()
  collectLocalTargets(resource, targets)
  return contained.every((inner) => {
    if (typeof inner['id'] === 'string' && targets.has(`#${inner['id']}`)) return true
    const own = new Set<string>()
    collectLocalTargets(inner, own)
    return own.has('#')
  })
}

/** The structure was checked before, so the depth is bounded. */
function collectLocalTargets(value: unknown, targets: Set<string>): void {
  if (typeof value === 'string') {
    if (value.charCodeAt(0) === 35) targets.add(value)
  } else if (Array.isArray(value)) {
    for (const item of value) collectLocalTargets(item, targets)
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) collectLocalTargets((value as Node)[name], targets)
  }
}
