import type { Clock } from '../../../packages/clock/clock.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { CodeSystem, ConceptMap, Resource, ValueSet } from '../../../packages/fhir/r4.ts'
import { createValidate } from '../../../packages/fhir/validate/validator.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { tellNotices } from '../../../packages/sql/notices.ts'
import { resourcesOf, withoutMark } from './read-file.ts'
import { readCodeSystem, readConceptMap, readValueSet } from './read-resource.ts'
import { readTable, type TableOptions } from './read-table.ts'
import { saveCodeSystem, saveConceptMap, saveValueSet } from './store/save-terminology.ts'
import { saveNamedCodes } from './store/named-in-sets.ts'

interface LoadDeps {
  readonly database: Database
  readonly clock: Clock
  readonly onProgress?: (loaded: LoadedPart) => void
}

interface LoadedPart {
  readonly type: 'CodeSystem' | 'ValueSet' | 'ConceptMap'
  readonly url: string
  /** How many codes or pairs. */
  readonly size: number
}

/**
 * Loads a file of terminology: a CodeSystem, ValueSet or ConceptMap of R4 in JSON, a Bundle or list of them, or a table
 * of codes as CSV (LOINC's own file is understood). Each resource is loaded wholly or not at all; loading again replaces.
 */
export async function loadTerminology(file: string, options: TableOptions, deps: LoadDeps): Promise<LoadedPart[]> {
  const loaded: LoadedPart[] = []
  const text = withoutMark(file)
  const isJson = /^\s*[[{]/.test(text)
  const parts = isJson ? resourcesOf(text, await validation()).map(partOf) : [systemPart(readTable(text, options))]
  for (const part of parts) {
    await deps.database.transaction(async (tx) => {
      await part.save(tx, deps.clock.now())
      await tx.run(tellNotices('corridor_terminology', ['loaded']))
    })
    loaded.push(part.loaded)
    deps.onProgress?.(part.loaded)
  }
  return loaded
}

const validation = async () => createValidate(await loadDefinitions())

interface Part {
  readonly loaded: LoadedPart
  readonly save: (tx: Parameters<typeof saveValueSet>[2], now: Date) => Promise<void>
}

function partOf(resource: Resource): Part {
  switch (resource.resourceType) {
    case 'CodeSystem':
      return systemPart(readCodeSystem(resource as CodeSystem))
    case 'ValueSet':
      return valueSetPart(resource as ValueSet)
    case 'ConceptMap':
      return mapPart(resource as ConceptMap)
    default:
      throw incorrect(
        `A ${resource.resourceType} is not a terminology resource. Load a CodeSystem, ValueSet or ConceptMap.`,
      )
  }
}

function systemPart(system: ReturnType<typeof readCodeSystem>): Part {
  return {
    loaded: { type: 'CodeSystem', url: system.url, size: system.concepts.length },
    save: (tx, now) => saveCodeSystem(system, now, tx),
  }
}

/** What it calls its codes is also asked for from then on where their code systems do not say it. */
function valueSetPart(resource: ValueSet): Part {
  const { valueSet, systems } = readValueSet(resource)
  const size = systems.reduce((sum, { concepts }) => sum + concepts.length, 0)
  return {
    loaded: { type: 'ValueSet', url: valueSet.url, size },
    async save(tx, now) {
      await saveValueSet(valueSet, now, tx)
      await saveNamedCodes(valueSet.url, systems, tx)
    },
  }
}

function mapPart(resource: ConceptMap): Part {
  const map = readConceptMap(resource)
  const size = map.groups.reduce((sum, { pairs }) => sum + pairs.length, 0)
  return { loaded: { type: 'ConceptMap', url: map.url, size }, save: (tx, now) => saveConceptMap(map, now, tx) }
}
