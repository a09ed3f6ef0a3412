import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../packages/testkit/browser/browser.ts'
import type { TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { serveGallery } from './serve-gallery.ts'
import type { Gallery } from './serve-gallery.ts'

let browser: TestBrowser
let site: Gallery

beforeAll(async () => {
  site = await serveGallery()
  browser = await openBrowser()
}, 360_000)

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

describe('the scripts of the pages', () => {
  it('show an instant in the zone of the reader and keep the exact one on hover', async () => {
    await using page = await browser.page({ timezone: 'Africa/Nairobi' })
    await page.goto(`${site.url}/referral`)
    const received = page.locator('time[data-precision]').first()
    // Chromium speaks American here; the days beside it are written in the page's way, and so is this.
    await expect.poll(() => received.textContent()).toBe('14 Mar 2026, 12:26')
    expect(await received.getAttribute('title')).toBe('2026-03-14T09:26:53.000Z')
    await page.getByText('Times are those of \u2068Africa/Nairobi\u2069.').waitFor()
  })

  it('leave the time in UTC, and say so, where scripts do not run', async () => {
    await using page = await browser.page({ timezone: 'Africa/Nairobi', javaScript: false })
    await page.goto(`${site.url}/referral`)
    expect(await page.locator('time[data-precision]').first().textContent()).toBe('14 Mar 2026, 09:26 UTC')
    expect(await page.locator('[data-zone]').isVisible()).toBe(false)
  })

  it('leave a day without a time where it is, west of Greenwich too', async () => {
    await using page = await browser.page({ timezone: 'America/Los_Angeles' })
    await page.goto(`${site.url}/dashboard`)
    expect(await page.locator('.patient-banner time').textContent()).toBe('12 Apr 1991')
  })

  it('go to the search on /, but not while someone types', async () => {
    await using page = await browser.page()
    await page.goto(`${site.url}/console`)
    await page.keyboard.press('/')
    await page.keyboard.type('a/b?')
    expect(await page.locator('input[type=search]').inputValue()).toBe('a/b?')
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })

  it('show the shortcuts on ? and close them on Escape', async () => {
    await using page = await browser.page()
    await page.goto(`${site.url}/console`)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Next and previous transaction').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })

  it('leave single keys alone for whoever has switched them off, and open the switch without them', async () => {
    await using page = await browser.page()
    await page.goto(`${site.url}/console`)
    await page.getByRole('button', { name: 'Press ? for keyboard shortcuts' }).click()
    await page.getByRole('checkbox', { name: 'Use single keys' }).uncheck()
    await page.keyboard.press('Escape')
    for (const key of ['/', '?']) await page.keyboard.press(key)
    expect(await page.locator('dialog[open], input:focus').count()).toBe(0)
    await page.goto(`${site.url}/referral`)
    await page.keyboard.press('?')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    await page.getByRole('button', { name: 'Press ? for keyboard shortcuts' }).click()
    expect(await page.getByRole('checkbox', { name: 'Use single keys' }).isChecked()).toBe(false)
    await page.getByRole('checkbox', { name: 'Use single keys' }).check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  })

  it('tell the pages apart where the colours are the reader’s own', async () => {
    await using page = await browser.page({ context: { forcedColors: 'active' } })
    await page.goto(`${site.url}/console`)
    const lineOf = (link: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.site-nav ${link}')).borderBlockEndColor`)
    const canvas = await page.evaluate<string>(
      'getComputedStyle(document.querySelector(".site-header")).backgroundColor',
    )
    expect(await lineOf('a:not([aria-current])')).toBe(canvas)
    expect(await lineOf('a[aria-current]')).not.toBe(canvas)
  })

  it('open the dialog that a button names and give the focus back when it closes', async () => {
    await using page = await browser.page()
    await page.goto(`${site.url}/referral`)
    await page.getByRole('button', { name: 'Reject' }).click()
    expect(await page.evaluate('document.activeElement.tagName'), 'what is asked').toBe('TEXTAREA')
    await page.getByRole('dialog', { name: 'Reject this referral' }).getByRole('button', { name: 'Close' }).click()
    expect(await page.evaluate('document.activeElement.dataset.opens')).toBe('reject')
  })

  it('filter the operations of the docs page as the reader types', async () => {
    await using page = await browser.page()
    await page.goto(`${site.url}/docs`)
    await page.getByRole('searchbox').fill('revoke clinician')
    expect(await page.locator('article:visible h3').allTextContents()).toEqual(['Revoke a consent'])
    expect(await page.locator('output').textContent()).toBe('1 found')
    await page.getByRole('searchbox').fill('')
    expect(await page.locator('article:visible').count()).toBe(5)
  })

  it('leave a fragment alone that somebody has come into while it was fetched', async () => {
    await using page = await browser.page()
    const [asked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/fragment', async (route) => {
      asked.resolve()
      await mayAnswer.promise
      await route.continue()
    })
    await page.goto(`${site.url}/fragment-page`)
    await asked.promise
    await page.locator('[data-refresh]').evaluate((fragment) => {
      fragment.innerHTML = '<button>Pause</button>'
      fragment.querySelector('button')?.focus()
    })
    mayAnswer.resolve()
    await page.locator('[data-refresh][aria-busy="false"]').waitFor()
    expect(await page.getByRole('button', { name: 'Pause' }).evaluate((button) => button.matches(':focus'))).toBe(true)
  })

  it('fetch a fragment anew, show its times in the zone of the reader, and mark it when that fails', async () => {
    await using page = await browser.page({ timezone: 'Africa/Nairobi', expectedErrors: [/500/] })
    await page.goto(`${site.url}/fragment-page`)
    const fragment = page.locator('[data-refresh]')
    await expect.poll(() => fragment.textContent(), { timeout: 10_000 }).toContain('12:26')
    site.failFragment()
    await expect.poll(() => fragment.getAttribute('data-stale'), { timeout: 10_000 }).toBe('')
    expect(await fragment.textContent()).toContain('12:26')
  })
})

describe('a page that breaks the rules', () => {
  it('is held against the test when the page is closed', async () => {
    const page = await browser.page()
    await page.goto(`${site.url}/inline-script`)
    await expect(page.close()).rejects.toThrow(/Content Security Policy/)
  })
})
