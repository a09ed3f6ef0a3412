// Runs a tool of the project with the Node that runs this, its output as ours, and resolves with its exit code.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)

export function runTool(name, args, environment = {}) {
  const manifest = require.resolve(`${name}/package.json`)
  const { bin } = require(manifest)
  const script = join(dirname(manifest), typeof bin === 'string' ? bin : bin[name === 'typescript' ? 'tsc' : name])
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    })
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
