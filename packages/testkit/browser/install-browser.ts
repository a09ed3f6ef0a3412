import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Gets a Chromium for the tests: from the system's packages where we may, else by Playwright. Says so on stderr. */
export async function installBrowser(): Promise<boolean> {
  if (mayUseApt()) {
    say('No browser was found; installing chromium-headless-shell from the system packages (about a minute)…')
    if (await succeeds('flock', [aptLock, 'sh', '-c', aptScript])) return true
  }
  say('No browser was found; downloading one with Playwright…')
  return succeeds(process.execPath, [playwrightCommand(), 'install', 'chromium-headless-shell'])
}

const installMsMax = 300_000

// Several test files may look for a browser at the same time: the lock lets one install and the others find.
const aptLock = '/run/lock/corridor-browser.lock'

const aptScript = `
export DEBIAN_FRONTEND=noninteractive
command -v chromium-headless-shell chromium && exit 0
apt-get update -q
apt-get install -q -y --no-install-recommends chromium-headless-shell ||
apt-get install -q -y --no-install-recommends chromium
`

function mayUseApt(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

function playwrightCommand(): string {
  return join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
}

function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: installMsMax })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => process.stderr.write(text))
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
