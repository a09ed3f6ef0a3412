// Builds what runs: TypeScript to dist, and beside it the files that the code reads (SQL, styles, fonts, pictures).
import { spawn } from 'node:child_process'
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const sources = ['apps', 'services', 'ports', 'packages', 'bench']
const assets = new Set(['.sql', '.css', '.svg', '.woff2', '.json', '.yaml', '.html', '.txt', '.png'])

export async function build() {
  await Promise.all([compile('tsconfig.json'), compile('tsconfig.browser.json'), ...sources.map(copyAssets)])
}

function compile(project) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', join(root, project)], { cwd: root, stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The build of ${project} failed; the compiler's messages are above.`)),
    )
  })
}

async function copyAssets(folder) {
  let entries
  try {
    entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && assets.has(extname(entry.name)))
      .map(async (entry) => {
        const from = join(entry.parentPath, entry.name)
        const to = join(root, 'dist', from.slice(root.length + 1))
        const [source, copy] = await Promise.all([stat(from), stat(to).catch(() => undefined)])
        if (copy !== undefined && copy.mtimeMs >= source.mtimeMs && copy.size === source.size) return
        await mkdir(dirname(to), { recursive: true })
        await copyFile(from, to)
      }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  build().catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
