import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { complaintsOf } from './complaints.ts'
import { findBrowser, searchThisMachine } from './find-browser.ts'

export interface PageOptions {
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
  /** A page in a context of its own. Closing it throws if the page complained: console errors, CSP, exceptions. */
  page(options?: PageOptions): Promise<Page>
  close(): Promise<void>
}

/** One real Chromium. Open it once per test file (`beforeAll`), close it at the end (`afterAll` or `await using`). */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(searchThisMachine()),
    args: launchArguments,
    // As root Chromium refuses to start with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0 && process.platform !== 'linux',
  })
  const close = () => browser.close()
  return { page: (options) => openPage(browser, options), close, [Symbol.asyncDispose]: close }
}

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
]

async function openPage(browser: Browser, options: PageOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.colorScheme ?? 'light',
    locale: 'en-GB',
    timezoneId: options.timezone ?? 'UTC',
    javaScriptEnabled: options.javaScript ?? true,
    reducedMotion: 'reduce',
    ...options.context,
  })
  const page = await context.newPage()
  const complaints = complaintsOf(page, options.expectedErrors ?? [])
  const close = async () => {
    await context.close()
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`)
  }
  return Object.assign(page, { close, [Symbol.asyncDispose]: close })
}
