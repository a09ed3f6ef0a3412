import { assert } from '../../../packages/faults/fault.ts'
import type { Place } from './naive-message.ts'

/** `Patient.birthDate = date(PID-7)`: the element of every such resource is the list of what the terms give. */
export interface Rule {
  readonly text: string
  readonly resource: string
  /** Only the one with that number; all unless given. */
  readonly index: number | undefined
  readonly path: readonly Step[]
  readonly terms: readonly Term[]
}

/** `name`, `extension(patient-religion)`, `telecom(use=home)`, `name(use!=nickname)`. */
export interface Step {
  readonly name: string
  readonly where: { readonly path: readonly string[]; readonly value: string; readonly isNot: boolean } | undefined
}

/** The first alternative that gives something; `'text'` is itself. `if` and `unless` look at another place. */
export interface Term {
  readonly alternatives: readonly Alternative[]
  readonly condition: { readonly place: Place; readonly isUnless: boolean } | undefined
}

export type Alternative =
  | { readonly literal: string }
  | { readonly literal?: never; readonly by: string | undefined; readonly place: Place }

export function parseRule(text: string): Rule {
  const [left = '', right = ''] = text.split(/ = (.*)/s)
  const match = /^([A-Z]\w+)(?:\[(\d+)\])?\.(.+)$/.exec(left.trim())
  assert(match !== null && right !== '', `"${text}" is no rule`)
  const [, resource = '', index, path = ''] = match
  return {
    text,
    resource,
    index: index === undefined ? undefined : Number(index),
    path: path.split(/\.(?![^(]*\))/).map(parseStep),
    terms: right === 'nothing' ? [] : right.split(/, /).map(parseTerm),
  }
}

function parseStep(text: string): Step {
  const match = /^(\w+)(?:\(([^=!]+)(?:(!?)=([^)]*))?\))?$/.exec(text)
  assert(match !== null, `"${text}" is no step`)
  const [, name = '', what, not, value] = match
  if (what === undefined) return { name, where: undefined }
  // An extension is told by the last word of its address.
  if (value === undefined) return { name, where: { path: ['url'], value: what, isNot: false } }
  return { name, where: { path: what.split('.'), value, isNot: not === '!' } }
}

function parseTerm(text: string): Term {
  const [value = '', word, place] = text.trim().split(/ (if|unless) /)
  const condition = place === undefined ? undefined : { place: parsePlace(place), isUnless: word === 'unless' }
  return { alternatives: value.split(' else ').map(parseAlternative), condition }
}

function parseAlternative(text: string): Alternative {
  const literal = /^'(.*)'$/.exec(text)?.[1]
  if (literal !== undefined) return { literal }
  const [, by, inner] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  return { by, place: parsePlace(inner ?? text) }
}

const grammar =
  /^([A-Z][A-Z0-9]{2})(?:\{(\d+)=([^}]*)\})?(?:\[(\d+|\*)\])?-(\d+)(?:\[(\d+|\*)\])?(?:\.(\d+)(?:\.(\d+))?)?$/

function parsePlace(text: string): Place {
  const match = grammar.exec(text)
  assert(match !== null, `"${text}" is no place in a message`)
  const [, segment = '', whereField, whereValues, occurrence, field, repetition, component, subcomponent] = match
  const index = (sent: string | undefined) => (sent === '*' ? 'all' : Number(sent ?? 0))
  return {
    segment,
    where: whereField === undefined ? undefined : { field: Number(whereField), values: whereValues?.split('|') ?? [] },
    occurrence: index(occurrence),
    field: Number(field),
    repetition: index(repetition),
    component: component === undefined ? undefined : Number(component),
    subcomponent: subcomponent === undefined ? undefined : Number(subcomponent),
  }
}
