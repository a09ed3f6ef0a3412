import type { ParameterType } from '../compiled.ts'

/**
 * What R4 section 3.1.1.4 allows by the type of a parameter; the official SearchParameter resources leave it out.
 * For references a resource type may stand in the place of a modifier (`subject:Patient`) as well.
 */
export const modifiersByType: Readonly<Record<ParameterType, readonly string[]>> = {
  number: ['missing'],
  date: ['missing'],
  string: ['missing', 'exact', 'contains'],
  token: ['missing', 'text', 'not', 'above', 'below', 'in', 'not-in', 'of-type'],
  reference: ['missing', 'identifier', 'above', 'below'],
  composite: ['missing'],
  quantity: ['missing'],
  uri: ['missing', 'above', 'below'],
  special: ['missing'],
}

/** What may stand before a value that has an order. */
export const prefixes = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'] as const

/** The prefixes before a value: `birthdate=ge1970`. */
export const prefixesByType: Readonly<Record<ParameterType, readonly string[]>> = {
  number: prefixes,
  date: prefixes,
  quantity: prefixes,
  string: [],
  token: [],
  reference: [],
  composite: [],
  uri: [],
  special: [],
}
