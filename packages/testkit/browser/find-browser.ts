import { access, constants } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installBrowser } from './install-browser.ts'

interface BrowserSearch {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Gets a browser when none is there; answers whether it is worth looking again. */
  readonly install: () => Promise<boolean>
}

/** The path of a Chromium that runs. Fails with one sentence when there is none: a browser test is never skipped. */
export async function findBrowser(search: BrowserSearch): Promise<string> {
  const named = search.env['CORRIDOR_BROWSER']
  if (named !== undefined && named !== '') {
    if (await isExecutable(named)) return named
    throw new Error(`CORRIDOR_BROWSER names ${named}, which is not a program that can be run; correct or unset it.`)
  }
  const present = await firstThatRuns(search)
  if (present !== undefined) return present
  const installed = (await search.install()) ? await firstThatRuns(search) : undefined
  if (installed !== undefined) return installed
  throw new Error(
    'The browser tests need Chromium: install the package chromium-headless-shell (or chromium, or Google Chrome), ' +
      'or set CORRIDOR_BROWSER to the path of one.',
  )
}

export function searchThisMachine(): BrowserSearch {
  const { env, platform } = process
  return { env, platform, home: env['HOME'] ?? env['USERPROFILE'] ?? '', install: installBrowser }
}

/** Every place where a browser may be, best first: the headless shell starts in half the time of the whole browser. */
export function browserCandidates({ env, platform, home }: Omit<BrowserSearch, 'install'>): string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const suffix = platform === 'win32' ? '.exe' : ''
  const onPath = namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name + suffix)))
  return [...onPath, ...(fixedPlaces[platform] ?? []), ...inPlaywrightCache({ env, platform, home })]
}

const namesOnPath = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
]

const fixedPlaces: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

function inPlaywrightCache({ env, platform, home }: Omit<BrowserSearch, 'install'>): string[] {
  const cache = env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(home, playwrightCaches[platform] ?? '.cache/ms-playwright')
  const programs =
    '{headless_shell,chrome-headless-shell,chrome,headless_shell.exe,chrome-headless-shell.exe,chrome.exe}'
  return globSync(`chromium{_headless_shell,}-*/*/${programs}`, { cwd: cache })
    .sort()
    .reverse()
    .map((found) => join(cache, found))
}

const playwrightCaches: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Library/Caches/ms-playwright',
  win32: 'AppData/Local/ms-playwright',
}

async function firstThatRuns(search: BrowserSearch): Promise<string | undefined> {
  for (const candidate of browserCandidates(search)) {
    if ((await isExecutable(candidate)) && (search.platform !== 'linux' || (await answersItsVersion(candidate)))) {
      return candidate
    }
  }
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

// Ubuntu's chromium-browser is a script that only says to install a snap; asking for the version finds that out.
function answersItsVersion(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(path, ['--version', '--no-sandbox'], { timeout: 20_000 }, (error, stdout) =>
      resolve(error === null && /\d+\.\d+/.test(stdout)),
    )
  })
}
