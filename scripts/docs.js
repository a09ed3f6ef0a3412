// Writes the generated parts of the documentation: the references of configuration keys, of the mapping and of all operations,
// and the list of decisions.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfNeeded } from './build.js'
import { root, runTool } from './run.js'

await buildIfNeeded()
const { configurationReference } = await import('../dist/packages/config/reference.js')
const { configurationSchema } = await import('../dist/apps/corridor/configuration.js')
const { mappingReference } = await import('../dist/services/bridge/mapping/mapping-reference.js')

await replace('docs/configuration.md', 'configuration reference', configurationReference(configurationSchema))
await replace('docs/mapping.md', 'mapping reference', await mappingReference())
await replace('docs/decisions/README.md', 'list of decisions', await decisions())
// Routes are declared by services that run: the test that holds the list against them writes it.
process.exitCode = await runTool('vitest', ['run', 'test/packaging/api-reference', '--update'])

/** Puts the text between the two marks of this name. */
async function replace(file, name, text) {
  const opening = `<!-- ${name}: made by npm run docs -->`
  const closing = `<!-- end of the ${name} -->`
  const path = join(root, file)
  const old = await readFile(path, 'utf8')
  const [begins, ends] = [old.indexOf(opening), old.indexOf(closing)]
  if (begins === -1 || ends < begins)
    throw new Error(`${file} has no place for the ${name}, from "${opening}" to "${closing}".`)
  await writeFile(path, `${old.slice(0, begins + opening.length)}\n\n${text}\n\n${old.slice(ends)}`)
}

async function decisions() {
  const folder = join(root, 'docs', 'decisions')
  const names = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name)).sort()
  const titles = await Promise.all(
    names.map(async (name) => (await readFile(join(folder, name), 'utf8')).split('\n')[0].slice(2)),
  )
  return names.map((name, index) => `- [${titles[index]}](${name})`).join('\n')
}
