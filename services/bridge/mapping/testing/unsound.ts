import { loadDefinitions } from '../../../../packages/fhir/definitions.ts'
import { createValidate } from '../../../../packages/fhir/validate/validator.ts'
import type { Mapping, Write } from '../mapped.ts'
import { wholeResource } from '../merge.ts'

/** Prepares a check of what must hold of every mapping. It gives what does not, or an empty list. */
export async function makeUnsound(): Promise<(mapping: Mapping) => readonly string[]> {
  const validate = createValidate(await loadDefinitions())
  return (mapping) => {
    if (mapping.refused !== undefined) return mapping.refused.length === 0 ? ['refused without a reason'] : []
    const { writes, main, patients } = mapping
    const urls = new Set(writes.map(({ fullUrl }) => fullUrl))
    const named = [...patients, ...(main === undefined ? [] : [main])]
    return [
      ...writes.flatMap((write) => invalid(write, validate)),
      ...writes.flatMap((write) => unresolved(write, urls)),
      ...writes.filter((write) => !carriesKey(write)).map(({ resource }) => `${resource.resourceType} lacks its key`),
      ...writes.filter(({ resource }) => 'id' in resource).map(({ resource }) => `${resource.resourceType} has an id`),
      ...named.filter((url) => !urls.has(url)).map(() => 'main or a patient is no write'),
    ]
  }
}

/** What is only amended is merged into what the store has, which is valid by itself. */
function invalid(write: Write, validate: ReturnType<typeof createValidate>): string[] {
  if (write.mode === 'amend') return []
  const issues = validate(JSON.parse(JSON.stringify(wholeResource(write))))
  return issues.filter(({ severity }) => severity === 'error').map(({ path, message }) => `${path}: ${message}`)
}

function unresolved(write: Write, urls: ReadonlySet<string>): string[] {
  const references = JSON.stringify([write.resource, write.defaults]).match(/"reference":"urn:uuid:[^"]*"/g) ?? []
  const targets = references.map((reference) => reference.slice('"reference":"'.length, -1))
  return targets.filter((url) => !urls.has(url)).map(() => `${write.resource.resourceType} refers to no write`)
}

const carriesKey = (write: Write): boolean =>
  write.mode === 'amend' || JSON.stringify(wholeResource(write)).includes(JSON.stringify(write.key.value))
