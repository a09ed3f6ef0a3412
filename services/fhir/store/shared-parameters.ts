/**
 * Parameters whose values thousands of resources of a type have in common, by the names that `parameterKey` takes. Only
 * rows of `sharedKinds` can be shared: references are followed from the key of their resource. Nor can what resources are
 * found by without their row in `resources` (`identified.ts`): identifiers and tags.
 */
const parameters: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'AuditEvent',
    new Set([
      ...['type', 'subtype', 'action', 'outcome', 'site', '_profile', '_security'],
      ...['agent-name', 'agent-role', 'altid', 'address', 'agent:identifier', 'source:identifier'],
      ...['entity-type', 'entity-role'],
    ]),
  ],
])

export const sharedKinds = ['tokens', 'strings', 'uris'] as const

export type SharedKind = (typeof sharedKinds)[number]

const none: ReadonlySet<string> = new Set()

/** None for nearly every type. */
export const sharedParameters = (type: string): ReadonlySet<string> => parameters.get(type) ?? none

export const sharesValues = (type: string): boolean => parameters.has(type)
