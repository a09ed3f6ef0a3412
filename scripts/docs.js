// Writes the generated parts of the documentation: the reference of every configuration key.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfNeeded } from './build.js'
import { root } from './run.js'

const opening = '<!-- configuration reference: made by npm run docs -->'
const closing = '<!-- end of the configuration reference -->'

await buildIfNeeded()
const { configurationReference } = await import('../dist/packages/config/reference.js')
const { configurationSchema } = await import('../dist/apps/corridor/configuration.js')

const file = join(root, 'docs', 'operations.md')
const text = await readFile(file, 'utf8')
const before = text.slice(0, text.indexOf(opening) + opening.length)
const after = text.slice(text.indexOf(closing))
await writeFile(file, `${before}\n\n${configurationReference(configurationSchema)}\n\n${after}`)
