import { isNode, listOf, type Node } from './element-path.ts'
import { isSameJson } from './same-json.ts'

/**
 * The dosages of an order. What a message says of dose and way holds for each of them; only when it says when to take the
 * drug does it say how many there are. A part that it does not say stays.
 */
export function mergeDosages(stored: readonly Node[], given: readonly Node[]): Node[] {
  const [first = {}, ...others] = given
  if (others.length === 0 && stored.length > 0 && !saysWhen(first)) {
    // Which of the steps of a course a dose without times is for, nobody knows: then it is that of the tablet, as before.
    const said = isStepped(stored) ? without(first, isUnread(first) ? ['doseAndRate', 'text'] : ['doseAndRate']) : first
    return stored.map((dosage) => joined(dosage, said))
  }
  return given.map((dosage, at) => joined(stored[at] ?? stored[0] ?? {}, dosage, when))
}

const isStepped = ([first = {}, ...others]: readonly Node[]): boolean =>
  others.some((other) => !isSameJson(other['doseAndRate'], first['doseAndRate']))

/** The dose is no number, so the text tells it, too. */
const isUnread = (dosage: Node): boolean =>
  listOf(dosage, 'doseAndRate').some(({ doseQuantity: one }) => isNode(one) && one['value'] === undefined)

const when: readonly string[] = ['sequence', 'timing', 'asNeededBoolean', 'asNeededCodeableConcept']
/** The whole dosage for people to read. */
const words: readonly string[] = ['text', 'patientInstruction']

const saysWhen = (dosage: Node): boolean => when.some((part) => dosage[part] !== undefined)

/** @param toldAnew parts that are gone unless they are given */
function joined(stored: Node, given: Node, toldAnew: readonly string[] = []): Node {
  const next = without({ ...stored, ...given, ...dosesOf(stored, given) }, toldAnew, given)
  // Words that were written for another dose would contradict the new one.
  return isSameJson(without(next, words), without(stored, words)) ? next : without(next, words, given)
}

/** A dose and a rate are fields of their own; each is a choice. */
function dosesOf(stored: Node, given: Node): Node {
  const [there] = listOf(stored, 'doseAndRate')
  const [said] = listOf(given, 'doseAndRate')
  if (there === undefined || said === undefined) return {}
  const told = [dose, rate].filter((kinds) => kinds.some((kind) => said[kind] !== undefined)).flat()
  return { doseAndRate: [without({ ...there, ...said }, told, said)] }
}

const dose: readonly string[] = ['doseQuantity', 'doseRange']
const rate: readonly string[] = ['rateQuantity', 'rateRatio', 'rateRange']

/** The node without these members, unless they stand in the other one. The rest stays in its order. */
const without = (node: Node, names: readonly string[], unless: Node = {}): Node =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name) || unless[name] !== undefined))
