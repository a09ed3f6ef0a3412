import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { caseFolder, caseNames } from './testing/case-files.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { shownMapping } from './testing/shown-mapping.ts'
import { makeUnsound } from './testing/unsound.ts'

const unsound = await makeUnsound()

describe.each(readdirSync(caseFolder))('cases of %s', (family) => {
  it.each(caseNames(family))('%s becomes what its file says, and that is valid R4', (name) => {
    const mapping = mapInPasses(readFileSync(`${caseFolder}${family}/${name}.hl7`))
    const expected: unknown = JSON.parse(readFileSync(`${caseFolder}${family}/${name}.json`, 'utf8'))
    expect(unsound(mapping)).toEqual([])
    expect(shownMapping(mapping)).toEqual(expected)
  })

  it.each(caseNames(family))('%s becomes the same when it is mapped again', (name) => {
    const bytes = readFileSync(`${caseFolder}${family}/${name}.hl7`)
    expect(mapInPasses(bytes)).toEqual(mapInPasses(bytes))
  })
})
