import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { openApp } from '../browser/immunization/open-app.ts'
import { desktop, phone } from './page-faults.ts'

/** A4 at 96 dots an inch. */
const sheet = { width: 794, height: 1123 }

let corridor: TestCorridor
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'immunization'] })
  browser = await openBrowser()
  page = await browser.page({ colorScheme: 'dark' })
  await openApp(page, corridor)
}, openBrowserMsMax)
afterAll(async () => {
  await page?.close()
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

/** The sheet as a printer gets it; kept to be looked at where pictures are. */
async function printed(name: string, format: 'A4' | 'Letter'): Promise<number> {
  const pdf = await page.pdf({ format, preferCSSPageSize: false })
  const folder = process.env['CORRIDOR_SCREENSHOTS'] ?? ''
  if (folder !== '') await writeFile(join(folder, `immunization-print-${name}-${format}.pdf`), pdf)
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
}

describe('the certificate on paper', () => {
  it.each(['A4', 'Letter'] as const)('is one sheet of %s without anything of the app around it', async (format) => {
    await page.goto(`${corridor.url('immunization')}/certificate`)
    expect(await printed('certificate', format)).toBe(1)
    await page.emulateMedia({ media: 'print' })
    for (const unwanted of ['.site-header', '.site-footer', '.patient-banner', '.actions', '.session-clock']) {
      expect(await page.locator(unwanted).filter({ visible: true }).count()).toBe(0)
    }
    for (const wanted of ['Amina Diallo', '12 Apr 1998', 'URN:UVCI:01:CORRIDOR:', 'COVID-19 mRNA']) {
      expect(await page.getByText(wanted).filter({ visible: true }).count()).toBeGreaterThan(0)
    }
    expect(await page.getByRole('img', { name: /^QR code/ }).isVisible()).toBe(true)
    await page.emulateMedia({ media: null })
  })

  it('is one sheet in Arabic, from right to left', async () => {
    await page.goto(`${corridor.url('immunization')}/certificate?lang=ar`)
    expect(await printed('certificate-ar', 'A4')).toBe(1)
    await page.goto(`${corridor.url('immunization')}/history?lang=en`)
    expect(await printed('history', 'A4')).toBeLessThanOrEqual(2)
  })

  it('has the code of a health card as large as a telephone', async () => {
    await page.goto(`${corridor.url('immunization')}/certificate/health-card?lang=en`)
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize(sheet)
    const box = await page.locator('.code svg').first().boundingBox()
    await page.emulateMedia({ media: null })
    await page.setViewportSize(desktop)
    expect(box?.width).toBeGreaterThan(300)
  })
})

it('breaks no usual word of a certificate, however long the names beside it', async () => {
  await page.goto(`${corridor.url('immunization')}/certificate?lang=en`)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize(sheet)
  const name = 'COVID-19, mRNA, LNP-S, bivalent booster, PF, 30 mcg/0.3 mL dose'
  const lines = await page.evaluate<number>(`
    document.body.style.paddingInline = '14mm' // what the printer leaves free
    for (const long of document.querySelectorAll('tbody :is(th, td:nth-last-child(-n + 2)) bdi')) {
      long.textContent = ${JSON.stringify(name)}
    }
    const dose = document.querySelector('tbody td:first-of-type bdi')
    dose.textContent = 'Booster'
    dose.getClientRects().length`)
  await page.emulateMedia({ media: null })
  await page.setViewportSize(desktop)
  expect(lines).toBe(1)
})

it.each(['fr', 'es', 'sw'])('the ages below the doses do not run into each other in %s', async (language) => {
  await page.goto(`${corridor.url('immunization')}/dashboard?lang=${language}`)
  const seen = []
  for (const [media, size] of [['print', sheet] as const, ['screen', phone] as const, ['screen', desktop] as const]) {
    await page.emulateMedia({ media })
    await page.setViewportSize(size)
    const boxes = await page.locator('.lane-ticks text').evaluateAll((texts) =>
      texts
        .map((text) => (text as SVGElement).getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ left, right }) => ({ left, right })),
    )
    expect(boxes.length).toBeGreaterThan(1)
    seen.push(boxes.slice(1).every(({ left }, at) => left > (boxes[at]?.right ?? Infinity)))
  }
  await page.emulateMedia({ media: null })
  expect(seen).toEqual([true, true, true])
})
