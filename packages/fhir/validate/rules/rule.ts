import type { Node, Report } from '../report.ts'

/** An invariant of the standard by its name there. It is asked only about nodes whose structure is right. */
export interface Rule {
  readonly id: string
  readonly holds: (node: Node, report: Report) => boolean
  /** What to do when it does not hold. */
  readonly advice: string
}

export type Rules = Readonly<Record<string, readonly Rule[]>>

/** An element is there, be it only with extensions. */
export const has = (node: Node, name: string): boolean => node[name] !== undefined || node[`_${name}`] !== undefined

export const hasOneOf = (node: Node, names: readonly string[]): boolean => names.some((name) => has(node, name))

/** Any of the types of a choice is there. */
export function hasChoice(node: Node, name: string): boolean {
  for (const key in node) {
    if (
      (key.startsWith(name) && isUpper(key, name.length)) ||
      (key.startsWith(`_${name}`) && isUpper(key, name.length + 1))
    )
      return true
  }
  return false
}

const isUpper = (text: string, at: number) => text.charCodeAt(at) >= 65 && text.charCodeAt(at) <= 90

/** The items of a list element; none if it is absent. */
export const listAt = (node: Node, name: string): readonly Node[] => {
  const list = node[name]
  // The structure was checked: a list element holds objects.
  return Array.isArray(list) ? (list as readonly Node[]) : nothing
}

const nothing: readonly Node[] = []

/** A concept has a coding of this system with one of the codes. */
export const isCoded = (concept: unknown, system: string, codes: readonly string[]): boolean =>
  typeof concept === 'object' &&
  concept !== null &&
  listAt(concept as Node, 'coding').some(
    (coding) => coding['system'] === system && codes.some((code) => code === coding['code']),
  )
