import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ShippedCodeSystem, ShippedContent } from './content.ts'
import { laboratoryAbbreviations } from './maps/laboratory-abbreviations.ts'
import { diagnosisMap } from './maps/diagnoses.ts'
import { v2Maps } from './maps/v2.ts'
import { memorySource } from './memory-source.ts'
import type { TerminologySource } from './source.ts'

/** What comes with Corridor: the official R4 content, CVX, a choice of LOINC, and maps of our own. */
export async function shippedTerminology(): Promise<TerminologySource> {
  const official = await officialContent()
  const own = await Promise.all([readContent('loinc.json'), readContent('cvx.json')])
  return memorySource({
    codeSystems: [...official.codeSystems, ...own],
    valueSets: official.valueSets,
    conceptMaps: [...official.conceptMaps, ...v2Maps, laboratoryAbbreviations, diagnosisMap],
  })
}

/** The build leaves it beside this file; from sources (tests) it is made first if need be. */
async function officialContent(): Promise<ShippedContent> {
  const isBuilt = import.meta.url.endsWith('.js')
  const place = isBuilt ? './r4-content.json' : '../../../dist/services/fhir/terminology/r4-content.json'
  const file = fileURLToPath(new URL(place, import.meta.url))
  if (!isBuilt) {
    const { ensureCompiled } = await import('./compile/compile.ts')
    ensureCompiled(file)
  }
  // Sound: the build step wrote it in this shape.
  return JSON.parse(await readFile(file, 'utf8')) as ShippedContent
}

async function readContent(name: string): Promise<ShippedCodeSystem> {
  // Sound: the files lie in this folder and a test reads each.
  return JSON.parse(await readFile(new URL(`content/${name}`, import.meta.url), 'utf8')) as ShippedCodeSystem
}
