// Writes the program that `corridor` runs, `dist/program`: all modules in a few files. Node takes 1.5 s to find and link
// them one by one, and 0.5 s this way; calls between modules are quicker, too (docs/decisions/0922).
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const program = join(dist, 'program')

/** Packages of many small modules. The others stay where npm puts them: they find files of their own by their place. */
const taken = /^(@oxc-project\/runtime|commander|jose|lru-cache|preact|preact-render-to-string|qr|typebox|yaml)(\/|$)/

async function bundle() {
  const made = await rolldown({
    input: { main: join(root, 'apps/corridor/main.ts') },
    platform: 'node',
    transform: { target: 'es2024' },
    external: (id) => /^[^./]/.test(id) && !taken.test(id),
    plugins: [placeOfEachModule],
  })
  // Names without a hash: a Corridor that runs while its checkout is built finds what it loads later.
  await made.write({ dir: program, format: 'esm', chunkFileNames: '[name].js', sourcemap: true })
}

/** A module that reads files beside itself finds them where the build has put them. */
const placeOfEachModule = {
  name: 'place-of-each-module',
  transform(code, id) {
    const isOurs = id.startsWith(root) && !id.includes('/node_modules/')
    if (!isOurs || !code.includes('import.meta.')) return undefined
    const place = relative(program, join(dist, relative(root, id))).replace(/\.tsx?$/, '.js')
    const url = `new URL(${JSON.stringify(place)}, import.meta.url)`
    const means = { url: `${url}.href`, filename: pathOf(url), dirname: pathOf(`new URL('.', ${url})`) }
    // No map: every line stays where it is.
    return { code: code.replace(/import\.meta\.(url|filename|dirname)\b/g, (_all, name) => means[name]), map: null }
  },
}

const pathOf = (url) => `process.getBuiltinModule('node:url').fileURLToPath(${url})`

await bundle()
