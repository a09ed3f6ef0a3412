import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../../packages/testkit/browser/axe.ts'
import { openBrowser } from '../../packages/testkit/browser/browser.ts'
import type { TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { gallery } from '../../packages/views/fixtures.tsx'
import { serveGallery } from './serve-gallery.ts'

let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveGallery>>

beforeAll(async () => {
  site = await serveGallery()
  browser = await openBrowser()
}, 360_000)

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

const pages = Object.keys(gallery)
const looks = [
  { look: 'phone, light', width: 390, height: 844, colorScheme: 'light' },
  { look: 'phone, dark', width: 390, height: 844, colorScheme: 'dark' },
  { look: 'desktop, light', width: 1280, height: 800, colorScheme: 'light' },
  { look: 'desktop, dark', width: 1280, height: 800, colorScheme: 'dark' },
] as const

describe.each(looks)('on a $look screen', ({ look, ...options }) => {
  it.each(pages)('the page %s is accessible, fits the width and breaks no content policy', async (name) => {
    await using page = await browser.page(options)
    await page.goto(`${site.url}/${name}`)
    await screenshot(page, `${name}-${look.replace(', ', '-')}`)
    expect(await accessibilityViolations(page)).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  })
})
