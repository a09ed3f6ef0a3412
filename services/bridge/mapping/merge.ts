import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { referencedType } from '../../../packages/fhir/reference.ts'
import { deleteElement, isNode, listOf, type Node, valueAt } from './element-path.ts'
import type { ItemRemoval, Write } from './mapped.ts'
import { endTakenBy, withPlacesLeft } from './ended-visit.ts'
import { withFormsOfResults } from './forms-of-results.ts'
import { mergeDosages } from './merge-dosages.ts'
import { formerNationalNumbers } from './national-numbers.ts'
import { withStatusOfResults } from './report-status.ts'
import { saysLess } from './says-less.ts'
import { withStatusOfSlot } from './slot-status.ts'
import { mistakeTakenBy } from './taken-back.ts'
import { choiceOf, listRule, mergedInside, questionOf, type ListRule } from './merge-rules.ts'

/**
 * The resource to store: what the message says, joined with what is stored. Undefined when there is nothing to write.
 * References must be settled before (`settleReferences`), because lists are joined by them.
 */
export function mergeWrite(write: Write, stored: FhirResource | undefined): FhirResource | undefined {
  const { mode, resource, deletes, removes } = write
  if (stored === undefined) return isOnlyAmended(write) ? undefined : wholeResource(write)
  if (mode === 'ensure') return undefined
  // Parts that stay as they are stay the stored ones: nothing within them is changed from here on.
  const merged: Node = { ...stored }
  for (const path of deletes) deleteElement(merged, path)
  for (const path of endTakenBy(resource, stored)) deleteElement(merged, path)
  for (const path of mistakeTakenBy(write, stored)) deleteElement(merged, path)
  const removals = Map.groupBy(removes, ({ element }) => element)
  for (const [element, ofElement] of removals) removeItems(merged, element, ofElement)
  removeItems(merged, 'identifier', formerNumbers(write, merged))
  mergeNode(merged, resource as unknown as Node, resource.resourceType, stored as unknown as Node)
  // A list that was emptied kept its place until here: what is said again is what was stored, member by member.
  for (const element of removals.keys()) if (isEmptyList(valueAt(merged, element))) deleteElement(merged, element)
  const defaults = write.isMention === true ? [] : Object.entries(write.defaults)
  for (const [element, value] of defaults) if (!isAnswered(element, merged)) merged[element] = value
  // Sound: every member came from a resource of this type.
  const whole = withFormsOfResults(withPlacesLeft(merged as unknown as FhirResource), write)
  return withStatusOfSlot(withStatusOfResults(whole, write), write, stored)
}

// Sound: every member came from a resource of the type of the write.
const formerNumbers = (write: Write, merged: Node): ItemRemoval[] =>
  formerNationalNumbers(write, merged as unknown as FhirResource).map(({ system, value }) => ({
    element: 'identifier',
    where: { system, value },
  }))

/** Where nothing is stored, there is nothing of it. */
export const isOnlyAmended = ({ mode, leavesTrace }: Write): boolean => mode === 'amend' && leavesTrace !== true

/** The resource as it is created where the store has none. */
export function wholeResource({ resource, defaults }: Write): FhirResource {
  const { resourceType } = resource
  // Sound: both are of one type, and every member of the second may stand for one of the first.
  return withPlacesLeft({ resourceType, ...(defaults as object), ...(resource as object) } as FhirResource)
}

/** The write with `urn:uuid:` references replaced by what they turned out to be; others stay as they are. */
export function settleReferences(write: Write, referenceOf: ReadonlyMap<string, string>): Write {
  return {
    ...write,
    resource: settled(write.resource, referenceOf) as FhirResource,
    defaults: settled(write.defaults, referenceOf) as Write['defaults'],
    removes: write.removes.map(({ where, ...removal }) => ({
      ...removal,
      where: Object.fromEntries(
        Object.entries(where).map(([path, value]) => [path, referenceOf.get(value ?? '') ?? value]),
      ),
    })),
  }
}

/** @param before as it was stored, with what the message has taken away: what it says again stood there. */
function mergeNode(into: Node, from: Node, resourceType: string, before: Node): void {
  for (const name in from) {
    const value = from[name]
    const there = into[name]
    const others = otherChoices(name, into)
    if (others.length > 0 && saysLess(name, value, into)) continue
    // A choice has one kind: deceasedDateTime takes the place of deceasedBoolean.
    for (const other of others) delete into[other]
    // What was noted beside the old value (`_birthDate`) does not hold for the new one.
    if (typeof value !== 'object' && !Object.hasOwn(from, `_${name}`)) delete into[`_${name}`]
    if (Array.isArray(value)) {
      const rule = listRule(resourceType, name)
      if (name === 'dosageInstruction') into[name] = mergeDosages(listOf(into, name), value as Node[])
      else
        into[name] =
          rule === undefined ? value : mergeList(listOf(into, name), value as Node[], rule, listOf(before, name))
    } else if (mergedInside.has(name) && isNode(there) && isNode(value)) {
      const inside = { ...there }
      mergeNode(inside, value, resourceType, there)
      into[name] = inside
    } else into[name] = value
  }
}

/**
 * What is said again stands where it stood: the first name of a list is the one that people are called by. What is said
 * for the first time comes behind it.
 * @param before the list as it was stored, with what the message has taken out of it
 */
function mergeList(kept: readonly Node[], given: readonly Node[], rule: ListRule, before: readonly Node[]): Node[] {
  if (rule.turns !== undefined) return mergeCourse(kept, given, rule, rule.turns)
  // Backwards, so that the next of many comes off the end.
  const said = Map.groupBy(given.toReversed(), (item) => itemKey(item, rule))
  const stood = new Set(before)
  const hasLost = kept.length < before.length && kept.every((item) => stood.has(item))
  const stays = new Set(kept)
  const list: Node[] = []
  for (const item of hasLost ? before : kept) {
    const again = said.get(itemKey(item, rule))
    const next = again === undefined && stays.has(item) ? item : again?.pop()
    if (next === undefined) continue
    const isOld = rule.staysOld === true && stays.has(item) && item['use'] === 'old' && next['use'] === undefined
    list.push(isOld ? { use: 'old', ...next } : next)
  }
  const left = new Set([...said.values()].flat())
  return [...list, ...given.filter((item) => left.has(item))]
}

/** One thing after the other: what is said last is the last, also where it comes again. */
function mergeCourse(
  stored: readonly Node[],
  given: readonly Node[],
  rule: ListRule,
  turns: NonNullable<ListRule['turns']>,
): Node[] {
  const keyOf = (item: Node) => itemKey(item, rule)
  const givenKeys = new Set(given.map(keyOf))
  // Backwards, so that the first of a key is the one that stays in the map.
  const known = new Map(stored.toReversed().map((item) => [keyOf(item), item]))
  const isTurning = given.some((item) => item[turns.part] === turns.from)
  const kept = stored
    .filter((item) => !givenKeys.has(keyOf(item)))
    .map((item) => (isTurning && item[turns.part] === turns.from ? { ...item, [turns.part]: turns.to } : item))
  return [...kept, ...given.map((item) => ({ ...known.get(keyOf(item)), ...item }))]
}

function itemKey(item: Node, { by, single, byReferencedType }: ListRule): string {
  if (byReferencedType === true) return referencedType(item, []) ?? ''
  const only = single?.values.find((value) => item[single.part] === value)
  if (only !== undefined) return only
  return JSON.stringify(by.map((path) => valueAt(item, path) ?? null))
}

function removeItems(node: Node, element: string, removals: readonly ItemRemoval[]): void {
  if (removals.length === 0) return
  const [outer = '', inner] = element.split('.')
  const around = node[outer]
  if (inner !== undefined && isNode(around)) {
    const copy = { ...around }
    removeItems(copy, inner, removals)
    node[outer] = copy
  }
  if (!Array.isArray(node[element])) return
  const isMeant = meantBy(removals)
  node[element] = listOf(node, element).filter((item) => !isMeant(item))
}

/** Whether any of them means an item. Those that look at the same parts look once: a report may lose thousands of results. */
function meantBy(removals: readonly ItemRemoval[]): (item: Node) => boolean {
  const alike = Map.groupBy(removals, ({ where, exceptActor, ofActor }) =>
    JSON.stringify([Object.keys(where), exceptActor, ofActor]),
  )
  const questions = [...alike.values()].map((ofKind) => {
    const paths = Object.keys(ofKind[0]?.where ?? {})
    const sought = new Set(ofKind.map(({ where }) => partsKey(paths.map((path) => where[path]))))
    return { paths, sought, exceptActor: ofKind[0]?.exceptActor, ofActor: ofKind[0]?.ofActor }
  })
  return (item) =>
    questions.some(
      ({ paths, sought, exceptActor, ofActor }) =>
        sought.has(partsKey(paths.map((path) => valueAt(item, path)))) &&
        (exceptActor === undefined || typeOfActor(item) !== exceptActor) &&
        (ofActor === undefined || typeOfActor(item) === ofActor),
    )
}

/** No part, and one that is no text, are like no text. */
const partsKey = (parts: readonly unknown[]): string =>
  JSON.stringify(parts.map((part) => (part === undefined ? 0 : typeof part === 'string' ? part : 1)))

const typeOfActor = ({ actor }: Node): string | undefined => (isNode(actor) ? referencedType(actor, []) : undefined)

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function otherChoices(name: string, node: Node): string[] {
  const choice = choiceOf(name)
  return choice === undefined ? [] : Object.keys(node).filter((other) => other !== name && choiceOf(other) === choice)
}

/** Whether the resource says already what this element would say, in this or in another way. */
function isAnswered(element: string, node: Node): boolean {
  // What was entered in error has no clinical status (con-5, ait-2).
  if (element === 'clinicalStatus' && valueAt(node, 'verificationStatus.coding.0.code') === 'entered-in-error')
    return true
  if (node[element] !== undefined) return true
  const question = questionOf(element)
  return (
    question !== element &&
    Object.keys(node).some((other) => node[other] !== undefined && questionOf(other) === question)
  )
}

/** JSON with its references replaced; what has none to replace is the same object. */
export function settled(value: unknown, referenceOf: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => settled(item, referenceOf))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isNode(value) || 'toJSON' in value) return value
  let copy: Node | undefined
  for (const name in value) {
    const inner = value[name]
    const next =
      name === 'reference' && typeof inner === 'string'
        ? (referenceOf.get(inner) ?? inner)
        : settled(inner, referenceOf)
    if (next === inner) continue
    copy ??= { ...value }
    copy[name] = next
    if (name === 'reference') nameType(copy)
  }
  return copy ?? value
}

/** Who refers to what was left out (`left-out.ts`) refers to another resource, which need not be of the same type. */
function nameType(to: Node): void {
  const { reference, type } = to
  if (typeof reference !== 'string' || typeof type !== 'string' || reference.startsWith(`${type}/`)) return
  to['type'] = referencedType(to, []) ?? type
}
