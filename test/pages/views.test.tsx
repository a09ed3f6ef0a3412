import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityViolations, colourRules } from '../../packages/testkit/browser/axe.ts'
import { openBrowser, openBrowserMsMax } from '../../packages/testkit/browser/browser.ts'
import type { TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { gallery } from '../../packages/views/fixtures.tsx'
import { keyboardWalk } from './keyboard-walk.ts'
import { desktop, lookFaults, phone } from './page-faults.ts'
import { serveGallery } from './serve-gallery.ts'
import type { Gallery } from './serve-gallery.ts'

let browser: TestBrowser
let site: Gallery

beforeAll(async () => {
  site = await serveGallery()
  browser = await openBrowser()
}, openBrowserMsMax)

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const pages = Object.keys(gallery)
describe('every page of the gallery', () => {
  let page: Page
  beforeAll(async () => {
    page = await browser.page(phone)
  })
  // Throws when any of them complained, with its address.
  afterAll(() => page?.close())

  it.each(pages)('%s is accessible, fits and breaks no policy on phone and desktop, light and dark', async (name) => {
    await page.setViewportSize(phone)
    await page.goto(`${site.url}/${name}`)
    expect(await lookFaults(page, name)).toEqual([])
  })

  it.each(pages)('%s stands out from what is behind it by the eyes of axe, too', async (name) => {
    await page.setViewportSize(desktop)
    await page.goto(`${site.url}/${name}`)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await accessibilityViolations(page, { rules: colourRules })).toEqual([])
  })

  it.each(pages)('%s lets the keyboard reach everything that can be used, and shows where it is', async (name) => {
    await page.setViewportSize(desktop)
    await page.goto(`${site.url}/${name}`)
    expect(await keyboardWalk(page)).toEqual({ missed: [], withoutRing: [] })
  })

  it.each(['dashboard', 'referral', 'docs'])('%s prints without navigation, on A4 and on Letter', async (name) => {
    await page.setViewportSize(desktop)
    await page.goto(`${site.url}/${name}`)
    for (const format of ['A4', 'Letter']) {
      const pdf = await page.pdf({ format })
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    }
    await page.emulateMedia({ media: 'print' })
    await screenshot(page, `${name}-print`)
    expect(await page.locator('nav:visible, button:visible, .skip-link:visible').count()).toBe(0)
    expect(await page.locator('h1').isVisible()).toBe(true)
    await page.emulateMedia({ media: null })
  })
})
