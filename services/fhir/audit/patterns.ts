import type { Interaction } from './audited-access.ts'

/** The Basic Audit Log Patterns of IHE. */
export type Pattern = 'Create' | 'Read' | 'Update' | 'Delete' | 'Query'

export const patternOf: Readonly<Record<Interaction, Pattern>> = {
  create: 'Create',
  read: 'Read',
  vread: 'Read',
  update: 'Update',
  patch: 'Update',
  delete: 'Delete',
  'search-type': 'Query',
  'search-system': 'Query',
  'history-instance': 'Query',
  'history-type': 'Query',
  'history-system': 'Query',
  operation: 'Query',
}

export const isChange = (interaction: Interaction): boolean => {
  const pattern = patternOf[interaction]
  return pattern === 'Create' || pattern === 'Update' || pattern === 'Delete'
}

export const actionOf: Readonly<Record<Pattern, 'C' | 'R' | 'U' | 'D' | 'E'>> = {
  Create: 'C',
  Read: 'R',
  Update: 'U',
  Delete: 'D',
  Query: 'E',
}

export const profileOf = (pattern: Pattern, hasPatient: boolean): string =>
  `https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.${hasPatient ? 'Patient' : ''}${pattern}`
