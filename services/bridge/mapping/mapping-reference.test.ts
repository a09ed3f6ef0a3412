import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mappingReference } from './mapping-reference.ts'

it('is what docs/mapping.md shows; after a change of a table: npm run docs', async () => {
  const shown = readFileSync(new URL('../../../docs/mapping.md', import.meta.url), 'utf8')
  const reference = await mappingReference()
  expect(shown).toContain(reference)
  expect(reference).toContain('| PID-8 | Administrative Sex | `gender` |')
  expect(reference).toContain('| `F` | `female` |')
})
