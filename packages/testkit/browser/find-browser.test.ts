import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserCandidates, findBrowser } from './find-browser.ts'

let home: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'corridor-find-browser-'))
})

afterAll(() => rm(home, { recursive: true }))

describe('the search for a browser', () => {
  it('takes the one that CORRIDOR_BROWSER names', async () => {
    const named = await program('named/my-chromium', 'exit 1')
    expect(await findBrowser(search({ CORRIDOR_BROWSER: named }))).toBe(named)
  })

  it('refuses a CORRIDOR_BROWSER that is not there and says so', async () => {
    await expect(findBrowser(search({ CORRIDOR_BROWSER: '/nowhere/chromium' }))).rejects.toThrow(
      'CORRIDOR_BROWSER names /nowhere/chromium, which is not a program that can be run; correct or unset it.',
    )
  })

  it('prefers the headless shell to the whole browser on the PATH', async () => {
    await program('whole/chromium', 'echo Chromium 1.2')
    const shell = await program('shell/chromium-headless-shell', 'echo Chromium 1.2')
    expect(await findBrowser(search({ PATH: `${home}/whole:${home}/shell` }))).toBe(shell)
  })

  it('passes over a stub that only says what to install', async () => {
    await program('stub/chromium', 'echo "Please run: snap install chromium" >&2; exit 1')
    const real = await program('real/google-chrome', 'echo Google Chrome 1.2')
    expect(await findBrowser(search({ PATH: `${home}/stub:${home}/real` }))).toBe(real)
  })

  it('looks in the cache of Playwright last', async () => {
    const cached = await program('cache/chromium_headless_shell-1200/chrome-linux/headless_shell', 'echo Chromium 1.2')
    const env = { PATH: '', PLAYWRIGHT_BROWSERS_PATH: `${home}/cache` }
    expect(await findBrowser(search(env))).toBe(cached)
  })

  it('looks again after it got one', async () => {
    const install = async () => {
      await program('late/chromium', 'echo Chromium 1.2')
      return true
    }
    expect(await findBrowser({ ...search({ PATH: `${home}/late` }), install })).toBe(`${home}/late/chromium`)
  })

  it('fails with one sentence that says what to install when there is none', async () => {
    await expect(findBrowser(search({ PATH: '' }))).rejects.toThrow(/^The browser tests need Chromium: install the /)
  })

  it('knows where browsers live on macOS and Windows', () => {
    const places = (platform: NodeJS.Platform) => browserCandidates({ env: {}, platform, home })
    expect(places('darwin')).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
    expect(places('win32')).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe')
  })
})

function search(env: Record<string, string>) {
  return { env, platform: 'linux', home, install: async () => false } as const
}

async function program(name: string, script: string): Promise<string> {
  const path = join(home, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}
