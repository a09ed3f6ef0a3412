import { isNode, listOf, type Node, valueAt } from './element-path.ts'

/**
 * Whether the kind of a choice that a message gives says less than the one that is stored, and nothing else: that somebody
 * is dead, where the day is known; a drug's code, where its strength and parts are. It leaves what is stored.
 */
export function saysLess(element: string, value: unknown, stored: Node): boolean {
  if (element === 'deceasedBoolean' || element === 'multipleBirthBoolean') return value === true
  return element === 'medicationCodeableConcept' && isNode(value) && isSameDrug(stored['medicationReference'], value)
}

/** The code of the Medication that a reference names, which stands beside the reference as in R5. */
export const drugCodeName = 'medication-code'

function isSameDrug(reference: unknown, code: Node): boolean {
  if (!isNode(reference)) return false
  const beside = listOf(reference, 'extension').find(({ url }) => String(url).endsWith(`/${drugCodeName}`))
  const known = beside?.['valueCodeableConcept']
  if (!isNode(known)) return false
  const [first] = listOf(known, 'coding')
  if (first === undefined) return code['text'] === known['text'] && valueAt(code, 'coding') === undefined
  return listOf(code, 'coding').some((one) => one['system'] === first['system'] && one['code'] === first['code'])
}
