import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { caseFolder, caseNames } from './case-files.ts'
import { mapInPasses } from './map-in-passes.ts'
import { shownMapping } from './shown-mapping.ts'

// Run by hand after a change of the mapping, and read the difference before it is committed:
//   node services/bridge/mapping/testing/update-cases.ts && npx oxfmt services/bridge/mapping/cases
for (const family of readdirSync(caseFolder)) {
  for (const name of caseNames(family)) {
    const mapping = mapInPasses(readFileSync(`${caseFolder}${family}/${name}.hl7`))
    writeFileSync(`${caseFolder}${family}/${name}.json`, JSON.stringify(shownMapping(mapping)))
  }
}
