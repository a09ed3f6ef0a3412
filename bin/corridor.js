#!/usr/bin/env node
// The launcher, in plain JavaScript that an old Node can read: it finds the Node that npm brought along, builds a
// checkout when its sources are newer than what was built, and hands over.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const nodeMajorNeeded = 24
const root = join(dirname(fileURLToPath(import.meta.url)), '..')

if (Number(process.versions.node.split('.')[0]) < nodeMajorNeeded) runWithBundledNode()
else await run()

async function run() {
  module.enableCompileCache?.()
  if (existsSync(join(root, 'tsconfig.json'))) {
    const { buildIfNeeded } = await import('../scripts/build.js')
    await buildIfNeeded().catch((error) => fail(error.message))
  }
  const { main } = await import(pathToFileURL(join(root, 'dist/program/main.js')).href)
  await main(process.argv)
}

function runWithBundledNode() {
  const node = bundledNode()
  if (node === undefined) {
    fail(
      `Corridor needs Node ${nodeMajorNeeded} or newer; this is ${process.version}, and npm has no Node for ` +
        `${process.platform}-${process.arch} to bring along. Install Node ${nodeMajorNeeded} and run the command again.`,
    )
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // Signals sent to this process alone (not to the group) must reach the one that does the work.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`Node could not be started (${error.message}).`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
}

function bundledNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  try {
    const manifest = module.createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`)
    return join(dirname(manifest), 'bin', platform === 'win' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
