import { choiceName } from '../choice-name.ts'
import type { CompiledElement } from '../compiled.ts'
import type { Definitions } from '../definitions.ts'
import { boundCodeCheck, boundConceptCheck } from './bindings.ts'
import { complexField, type Field, primitiveField, shadowField } from './elements.ts'
import { primitiveChecks } from './primitives.ts'
import { referenceCheck } from './references.ts'
import type { Check, Node, Report } from './report.ts'
import { rulesOf } from './rules/rules.ts'

interface ObjectChecksDeps {
  readonly definitions: Definitions
  /** For elements that hold any resource. */
  readonly checkResource: Check
}

/** Gives the check of a type; each is compiled when it is first used, so recursive types need no care. */
export function objectChecks(deps: ObjectChecksDeps): (type: string) => Check {
  const checks = new Map<string, Check>()
  const checkOf = (type: string): Check => {
    let check = checks.get(type)
    if (check === undefined) {
      let compiled: Check | undefined
      check = (value, report) => {
        compiled ??= compileObject(type, checkOf, deps)
        compiled(value, report)
      }
      checks.set(type, check)
    }
    return check
  }
  return checkOf
}

function compileObject(type: string, checkOf: (type: string) => Check, deps: ObjectChecksDeps): Check {
  const elements = deps.definitions.elementsOf(type)
  const isResource = deps.definitions.type(type)?.kind === 'resource'
  const fields = compileFields(elements, checkOf, deps)
  if (isResource) fields.set('resourceType', { check: () => {}, choiceBit: 0, shadowOf: undefined })
  const required = elements
    .filter((element) => (element.min ?? 0) > 0 && element.choice !== true)
    .map(({ name }) => name)
  const choices = elements.filter((element) => element.choice === true)
  const requiredChoices = choices
    .map((element, position) => ({ name: element.name, bit: 1 << position, isRequired: (element.min ?? 0) > 0 }))
    .filter((choice) => choice.isRequired)
  const rules = rulesOf(type, deps.definitions)

  return (value, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report.error('structure', 'This must be a JSON object.')
      return
    }
    if (report.isTooDeep) {
      report.error('too-costly', 'The resource is nested too deeply.')
      return
    }
    const node = value as Node
    const before = report.errorCount
    const chosen = checkMembers(node, fields, report)
    if (!isResource && isBare(node))
      report.error('structure', 'The element is empty. Give it content or leave it out.', 'ele-1')
    for (const name of required) {
      if (node[name] === undefined && node[`_${name}`] === undefined) {
        report.errorAt(name, 'required', `${name} is required here. Add it.`)
      }
    }
    for (const choice of requiredChoices) {
      if ((chosen & choice.bit) === 0) {
        report.errorAt(choice.name, 'required', `One of ${choice.name}[x] is required here. Add it.`)
      }
    }
    // Rules may rely on the structure, so they speak only about what has it.
    if (report.errorCount === before) {
      for (const rule of rules) if (!rule.holds(node, report)) report.error('invariant', rule.advice, rule.id)
    }
  }
}

/** Checks each member and gives the bits of the choices that were met. */
function checkMembers(node: Node, fields: ReadonlyMap<string, Field>, report: Report): number {
  let chosen = 0
  for (const name in node) {
    const field = fields.get(name)
    if (field === undefined) {
      report.errorAt(printable(name), 'structure', 'This element does not exist here. Remove it or correct its name.')
      continue
    }
    if (field.choiceBit !== 0 && (field.shadowOf === undefined || node[field.shadowOf] === undefined)) {
      if ((chosen & field.choiceBit) !== 0) {
        report.errorAt(name, 'structure', 'Only one of the types of this element may be given. Keep one.')
      }
      chosen |= field.choiceBit
    }
    field.check(node[name], report, node)
    if (report.isFull) break
  }
  return chosen
}

/** R4 (ele-1): an element has a value or children; an id alone is neither. */
function isBare(node: Node): boolean {
  for (const name in node) if (name !== 'id') return false
  return true
}

const printable = (name: string) => (/^[A-Za-z0-9_]{1,64}$/.test(name) ? name : '(unknown)')

function compileFields(
  elements: readonly CompiledElement[],
  checkOf: (type: string) => Check,
  deps: ObjectChecksDeps,
): Map<string, Field> {
  const fields = new Map<string, Field>()
  let choices = 0
  for (const element of elements) {
    const choiceBit = element.choice === true ? 1 << choices++ : 0
    for (const type of element.types) {
      const name = element.choice === true ? choiceName(element.name, type) : element.name
      const primitive = primitiveChecks.get(type)
      if (primitive === undefined) {
        const check = complexField(element, complexCheck(type, element, checkOf, deps))
        fields.set(name, { check, choiceBit, shadowOf: undefined })
        continue
      }
      const codeSet = element.codes === undefined ? undefined : deps.definitions.codeSet(element.codes)
      const check = codeSet !== undefined && type === 'code' ? boundCodeCheck(codeSet) : primitive
      fields.set(name, { check: primitiveField(element, check), choiceBit, shadowOf: undefined })
      const shadow = shadowField(element, name, checkOf('Element'), checkId)
      fields.set(`_${name}`, { check: shadow, choiceBit, shadowOf: name })
    }
  }
  return fields
}

/** `Element.id` is a string. */
const checkId: Check = (value, report) => primitiveChecks.get('string')?.(value, report)

function complexCheck(
  type: string,
  element: CompiledElement,
  checkOf: (type: string) => Check,
  { definitions, checkResource }: ObjectChecksDeps,
): Check {
  if (type === 'Resource') return checkResource
  if (type === 'Reference') return referenceCheck(checkOf(type), element.targets, definitions.resourceTypes)
  const codeSet = element.codes === undefined ? undefined : definitions.codeSet(element.codes)
  return codeSet !== undefined && type === 'CodeableConcept' ? boundConceptCheck(checkOf(type), codeSet) : checkOf(type)
}
