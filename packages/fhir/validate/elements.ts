import type { CompiledElement } from '../compiled.ts'
import type { Check, Node, Report } from './report.ts'

/** What is done with one member of an object. The parent is at hand for the other half of a primitive. */
export interface Field {
  readonly check: (value: unknown, report: Report, parent: Node) => void
  /** The bit of the choice that the member belongs to, or 0. */
  readonly choiceBit: number
  /** For `_name`: the member whose extensions it holds. */
  readonly shadowOf: string | undefined
}

/** The member of an object or backbone type, or of a data type. */
export function complexField(element: CompiledElement, check: Check): Field['check'] {
  const { name } = element
  if (element.max === undefined || element.max === 1) {
    return (value, report) => {
      report.enter(name)
      if (Array.isArray(value)) report.error('structure', notAList)
      else check(value, report)
      report.leave()
    }
  }
  const max = element.max === '*' ? Infinity : element.max
  return (value, report) => {
    report.enter(name)
    if (checkList(value, report, max)) {
      for (let index = 0; index < value.length && !report.isFull; index++) {
        report.at(index)
        check(value[index], report)
      }
    }
    report.leave()
  }
}

const notAList = 'This element is not a list. Write it without brackets.'

/** A primitive. In a list, null keeps the place of a value that has only extensions. */
export function primitiveField(element: CompiledElement, check: Check): Field['check'] {
  const { name } = element
  if (element.max === undefined || element.max === 1) return complexField(element, check)
  const shadow = `_${name}`
  return (value, report, parent) => {
    report.enter(name)
    if (checkList(value, report, Infinity)) {
      const extensions = parent[shadow]
      for (let index = 0; index < value.length && !report.isFull; index++) {
        report.at(index)
        if (value[index] !== null) check(value[index], report)
        else if (!Array.isArray(extensions) || extensions[index] === null || extensions[index] === undefined) {
          report.error('structure', 'null stands only where the member with the underscore has an extension.')
        }
      }
    }
    report.leave()
  }
}

/**
 * The other half of a primitive: `_birthDate` with its id and extensions. R4 (ele-1) asks for a value or children: beside a
 * value an id is enough.
 *
 * @param member what the primitive is called, which of a choice is not the name of the element.
 */
export function shadowField(element: CompiledElement, member: string, check: Check, checkId: Check): Field['check'] {
  const { name } = element
  const checkBeside = (value: unknown, primitive: unknown, report: Report) => {
    if (primitive === undefined || primitive === null || !isIdAlone(value)) return check(value, report)
    report.enter('id')
    checkId(value.id, report)
    report.leave()
  }
  if (element.max === undefined || element.max === 1) {
    return (value, report, parent) => {
      report.enter(`_${name}`)
      if (Array.isArray(value)) report.error('structure', notAList)
      else checkBeside(value, parent[member], report)
      report.leave()
    }
  }
  return (value, report, parent) => {
    report.enter(`_${name}`)
    if (checkList(value, report, Infinity)) {
      const values = parent[name]
      // R4 section 2.6.2.2: null fills out both lists, so that the two halves of a value have the same place.
      if (Array.isArray(values) && values.length < value.length) {
        report.error('structure', `The list is longer than ${name}. Write null there for what has only extensions.`)
      }
      let filled = 0
      for (let index = 0; index < value.length && !report.isFull; index++) {
        if (value[index] === null) continue
        filled++
        report.at(index)
        checkBeside(value[index], Array.isArray(values) ? values[index] : undefined, report)
      }
      if (filled === 0) report.error('structure', 'The list holds only null. Leave it out.')
    }
    report.leave()
  }
}

function isIdAlone(value: unknown): value is { readonly id: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const names = Object.keys(value)
  return names.length === 1 && names[0] === 'id'
}

function checkList(value: unknown, report: Report, max: number): value is unknown[] {
  if (!Array.isArray(value))
    report.error('structure', 'This element is a list. Write it in brackets, also if it is one.')
  else if (value.length === 0) report.error('structure', 'The list is empty. Leave it out.')
  else if (value.length > max) report.error('structure', `At most ${max} are allowed.`)
  else return true
  return false
}
