import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { madeOnce } from '../../http/made-once.ts'
import { complaintsOf } from './complaints.ts'
import { findBrowser, searchThisMachine } from './find-browser.ts'

export interface PageOptions {
  /** Whose browser it is. Pages of one person and the same options share cookies and cache until the browser closes. */
  readonly person?: string
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly timezone?: string
  readonly javaScript?: boolean
  /** Console errors that the test expects, such as the browser's own line about a 404. */
  readonly expectedErrors?: readonly RegExp[]
  /** Anything else that Playwright can set, such as credentials or headers. */
  readonly context?: BrowserContextOptions
}

export interface TestBrowser extends AsyncDisposable {
  /** A page in a context of its own, or of the person. Closing it throws if the page complained: console errors, CSP, exceptions. */
  page(options?: PageOptions): Promise<Page>
  close(): Promise<void>
}

interface BrowserOptions {
  /** Host names that lead to this machine. Other than `localhost` the browser does not trust them. */
  readonly names?: readonly string[]
}

/** One real Chromium. Open it once per test file (`beforeAll`), close it at the end (`afterAll` or `await using`). */
export async function openBrowser({ names = [] }: BrowserOptions = {}): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: await thisBrowser(),
    args: [
      ...launchArguments,
      ...(names.length === 0 ? [] : [`--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join()}`]),
    ],
    // As root Chromium refuses to start with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0 && process.platform !== 'linux',
  })
  const kept = new Map<string, Promise<BrowserContext>>()
  const close = () => browser.close()
  return { page: (options = {}) => openPage(options, { browser, kept }), close, [Symbol.asyncDispose]: close }
}

/** Looked for once a run: whether a browser runs is found out by running it. */
const thisBrowser = madeOnce(() => findBrowser(searchThisMachine()))

/** What `beforeAll` may take: on a new machine a Chromium is fetched first. */
export const openBrowserMsMax = 360_000

// Nothing leaves the machine: without these Chromium looks for updates and Google's hosts at every start.
const launchArguments = [
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page of a test is looked at once: what is compiled to be fast, and a process for every page, never pay for
  // themselves. Without them Chromium takes an eighth less of the processor.
  '--js-flags=--no-turbofan,--no-maglev',
  '--renderer-process-limit=1',
]

interface Contexts {
  readonly browser: Browser
  /** By the options of their pages. */
  readonly kept: Map<string, Promise<BrowserContext>>
}

async function openPage(options: PageOptions, { browser, kept }: Contexts): Promise<Page> {
  const { person, expectedErrors = [], ...look } = options
  const key = JSON.stringify({ person, ...look })
  const opening = (person === undefined ? undefined : kept.get(key)) ?? openContext(browser, look)
  if (person !== undefined) kept.set(key, opening)
  const context = await opening
  const page = await context.newPage()
  const complaints = complaintsOf(page, expectedErrors)
  const closePage = page.close.bind(page)
  const close = async () => {
    await (person === undefined ? context.close() : closePage())
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`)
  }
  return Object.assign(page, { close, [Symbol.asyncDispose]: close })
}

function openContext(browser: Browser, options: PageOptions): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.colorScheme ?? 'light',
    locale: 'en-GB',
    timezoneId: options.timezone ?? 'UTC',
    javaScriptEnabled: options.javaScript ?? true,
    reducedMotion: 'reduce',
    ...options.context,
  })
}
