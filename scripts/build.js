// Builds what runs: TypeScript to dist, and beside it the files that the code reads (SQL, styles, fonts, pictures).
import { spawn } from 'node:child_process'
import { constants, existsSync, readdirSync, statSync } from 'node:fs'
import { access, copyFile, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'dist', '.built')
const sources = ['apps', 'services', 'ports', 'packages', 'bench']
const settings = [
  'tsconfig.json',
  'tsconfig.browser.json',
  'package-lock.json',
  'scripts/build.js',
  'scripts/bundle.js',
]
const assets = new Set(['.sql', '.css', '.svg', '.woff2', '.json', '.html', '.txt', '.png'])

/** Does nothing when no source is newer than the last build; says what it does when it takes a moment. */
export async function buildIfNeeded() {
  const built = await stat(stamp).catch(() => undefined)
  if (built !== undefined && newestSource() <= built.mtimeMs) return
  await mayWrite(existsSync(join(root, 'dist')) ? join(root, 'dist') : root)
  process.stderr.write('Building Corridor …')
  const start = performance.now()
  await build()
  process.stderr.write(` done in ${((performance.now() - start) / 1000).toFixed(1)} s.\n`)
}

/** The user of a service may not, and should not: whoever installed Corridor builds it. */
async function mayWrite(folder) {
  await access(folder, constants.W_OK).catch(() => {
    throw new Error(
      `The sources of Corridor in ${root} are newer than what was built, and this user may not write to ${folder}. ` +
        'Run "npm run build" there as the user whom it belongs to.',
    )
  })
}

export async function build() {
  const begun = new Date()
  await Promise.all([
    compile('tsconfig.json'),
    compile('tsconfig.browser.json'),
    bundle(),
    copyAssets(root),
    compileDefinitions(),
    compileTerminology(),
    writeBuildInfo(),
  ])
  // The stamp carries the time the build began: what is edited while it runs is built next time.
  await writeFile(stamp, '')
  await utimes(stamp, begun, begun)
}

function compile(project) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  return runNode([tsc, '-p', join(root, project)], `The build of ${project} failed; the compiler's messages are above.`)
}

/** What `corridor` runs, in a few files. */
function bundle() {
  return runNode([join(root, 'scripts/bundle.js')], 'The program could not be bundled; the messages are above.')
}

/** The official R4 definitions as one compact file; done again only when their contents or the compiler changed. */
function compileDefinitions() {
  const compiler = join(root, 'packages/fhir/compile/main.ts')
  const target = join(root, 'dist/packages/fhir/definitions.json')
  return runNode([compiler, target], 'The FHIR definitions could not be compiled; the messages are above.')
}

/** The code systems and value sets of the same package that may be shipped. */
function compileTerminology() {
  const compiler = join(root, 'services/fhir/terminology/compile/main.ts')
  const target = join(root, 'dist/services/fhir/terminology/r4-content.json')
  return runNode([compiler, target], 'The terminology could not be compiled; the messages are above.')
}

/** When this was built and from which commit, for `/actuator/info`. */
function writeBuildInfo() {
  const writer = join(root, 'apps/corridor/build-info/main.ts')
  const target = join(root, 'dist/apps/corridor/build-info/build-info.json')
  return runNode(
    [writer, root, target],
    'What is to be told of the build could not be written; the messages are above.',
  )
}

function runNode(args, failure) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(failure))))
  })
}

export async function copyAssets(folder) {
  const dist = join(folder, 'dist')
  const files = sourceFiles(folder).filter((file) => assets.has(extname(file)))
  await Promise.all(
    files.map(async (from) => {
      const to = join(dist, relative(folder, from))
      const [source, copy] = await Promise.all([stat(from), stat(to).catch(() => undefined)])
      if (copy !== undefined && copy.mtimeMs >= source.mtimeMs && copy.size === source.size) return
      await mkdir(dirname(to), { recursive: true })
      await copyFile(from, to)
    }),
  )
  await removeLeftMigrations(dist, new Set(files.map((file) => relative(folder, file))))
}

/** One that was renamed would be there under both names, and no start would get past it. */
async function removeLeftMigrations(dist, files) {
  const built = readdirSync(dist, { recursive: true }).filter((file) => extname(file) === '.sql')
  await Promise.all(built.filter((file) => !files.has(file)).map((file) => rm(join(dist, file))))
}

// One after the other: three thousand promises take four times as long, at every start from a checkout.
function newestSource() {
  const files = [...sourceFiles(root), ...settings.map((file) => join(root, file))]
  return files.reduce((newest, file) => Math.max(newest, statSync(file).mtimeMs), 0)
}

function sourceFiles(of) {
  return sources
    .map((folder) => join(of, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  build().catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
