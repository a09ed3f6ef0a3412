import type { ErrorObject } from 'ajv'
import type { FaultField } from '../faults/fault.ts'
import { textFormats } from './formats.ts'

/** Every failed field once, in words that say what to do. Values are never repeated: they may be a patient's. */
export function failedFields(errors: readonly ErrorObject[], whole: string): FaultField[] {
  const fields = withoutBranches(errors).map((error) => ({ path: pathOf(error, whole), message: messageOf(error) }))
  const seen = new Set<string>()
  return fields.filter(({ path, message }) => {
    const key = `${path} ${message}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

/** For a value that may be null, the reader wants to know what is wrong with the value, not that it is not null. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const plain = errors.filter((error) => !branches.has(error.keyword) && error.params['type'] !== 'null')
  return plain.length > 0 ? plain : errors
}

const branches: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if'])

function pathOf(error: ErrorObject, whole: string): string {
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer)
  const inner = innerName(error)
  if (inner !== undefined) steps.push(inner)
  const path = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  return path === '' ? whole : path.replace(/^\./, '')
}

function innerName(error: ErrorObject): string | undefined {
  const name: unknown =
    error.keyword === 'required'
      ? error.params['missingProperty']
      : error.keyword === 'additionalProperties'
        ? error.params['additionalProperty']
        : undefined
  return typeof name === 'string' ? name : undefined
}

const unescapePointer = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

function messageOf(error: ErrorObject): string {
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${typeWords[String(params['type'])] ?? String(params['type'])}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'format':
      return textFormats[String(params['format'])]?.says ?? 'has the wrong form'
    case 'pattern':
      return ownWords(error) ?? 'has the wrong form'
    case 'minLength':
      return params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} characters`
    case 'maxLength':
      return `must have at most ${params['limit']} characters`
    case 'minimum':
      return `must be at least ${params['limit']}`
    case 'maximum':
      return `must be at most ${params['limit']}`
    case 'minItems':
      return params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} entries`
    case 'maxItems':
      return `must have at most ${params['limit']} entries`
    case 'uniqueItems':
      return 'must not have an entry twice'
    case 'additionalProperties':
      return 'is not a known field'
    default:
      return ownWords(error) ?? error.message ?? 'is not valid'
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function ownWords(error: ErrorObject): string | undefined {
  const says: unknown = error.parentSchema?.['x-says']
  return typeof says === 'string' ? says : undefined
}
