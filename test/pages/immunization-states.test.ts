import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { immunization, patient, recommendation } from '../../services/immunization/testing/resources.ts'
import { startTestApp, type TestApp } from '../../services/immunization/testing/test-app.ts'
import { desktop, lookFaults, phone } from './page-faults.ts'

let app: TestApp
let browser: TestBrowser

beforeAll(async () => {
  app = await startTestApp()
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await app?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  app.server.behaviour.resources.length = 0
  app.server.behaviour.fhirStatus.clear()
})

const own = (path: string) => `${app.corridor.url('immunization')}${path}`

async function opened(page: Page): Promise<void> {
  await page.goto(own(`/launch?iss=${encodeURIComponent(app.server.base)}&launch=a-launch`))
  await page.waitForURL(own('/dashboard'))
}

const faultsOf = (page: Page, name: string) => lookFaults(page, `immunization-${name}`, 'phone')

/** The record of a long life: 60 doses of 20 vaccines. */
const manyDoses = () =>
  Array.from({ length: 60 }, (_, at) =>
    immunization(`d${at}`, {
      vaccineCode: { coding: [{ code: `V${at % 20}`, display: `Vaccine ${at % 20} with a longer name` }] },
      occurrenceDateTime: `20${String(24 - Math.floor(at / 3)).padStart(2, '0')}-0${(at % 9) + 1}-1${at % 10}`,
      lotNumber: `LOT${at}A`,
      performer: [{ actor: { reference: 'Organization/o1', display: 'A health centre far away' } }],
      protocolApplied: [{ series: 'A series', doseNumberPositiveInt: Math.floor(at / 20) + 1 }],
    }),
  )

describe('the states of the pages', () => {
  it('nothing in the record: each page says why and what would change it', async () => {
    app.server.behaviour.resources.push(patient({ name: [], birthDate: '' }))
    await using page = await browser.page()
    await opened(page)
    await page.getByText('No vaccinations yet').waitFor()
    // Nobody has said what is due: that nothing is due would be something else.
    expect(await page.getByText('No recommendations').count()).toBe(1)
    expect(await page.getByText('Nothing is due').count()).toBe(0)
    expect(await faultsOf(page, 'empty-dashboard')).toEqual([])
    for (const [path, text] of [
      ['/history', 'No vaccinations yet'],
      ['/recommendations', 'No recommendations'],
      ['/certificate', 'Nothing to certify yet'],
      ['/certificate/health-card', 'Nothing to certify yet'],
    ] as const) {
      await page.goto(own(path))
      await page.getByText(text).waitFor()
      expect(await faultsOf(page, `empty${path.replaceAll('/', '-')}`)).toEqual([])
    }
  })

  it('words without an end make no page wider than its screen', async () => {
    const endless = 'Abcdefghij'.repeat(10)
    app.server.behaviour.resources.push(
      patient({ name: [{ given: ['Amina'], family: endless }] }),
      immunization('one', {
        lotNumber: endless.slice(0, 60),
        vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '19', display: endless }] },
        performer: [{ actor: { reference: 'Organization/o1', display: endless } }],
        protocolApplied: [{ series: endless, doseNumberString: 'Booster' }],
        note: [{ text: endless }],
      }),
    )
    await using page = await browser.page()
    await opened(page)
    for (const path of ['/dashboard', '/history', '/recommendations', '/certificate', '/certificate/health-card']) {
      await page.goto(own(path))
      for (const size of [{ width: 360, height: 740 }, phone, desktop]) {
        await page.setViewportSize(size)
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect(overflow, `${path} at ${size.width}`).toBeLessThanOrEqual(0)
      }
    }
  })

  it('doses that nobody vouches for are marked, and who has died is shown so', async () => {
    const mr = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '04', display: 'Measles and rubella' }] }
    app.server.behaviour.resources.push(
      patient({ deceasedDateTime: '2025-06-01' }),
      immunization('weak', { isSubpotent: true, primarySource: false }),
      immunization('to-come', { occurrenceDateTime: '2030-01-01', vaccineCode: mr, lotNumber: 'A1' }),
      immunization('good', { lotNumber: 'B2' }),
    )
    await using page = await browser.page()
    await opened(page)
    await page.getByText('Died', { exact: true }).waitFor()
    for (const [path, text] of [
      ['/dashboard', 'Not full potency'],
      ['/history', 'Not full potency'],
      ['/certificate', 'Date cannot be right'],
      ['/certificate/health-card', 'nor those of reduced potency'],
    ] as const) {
      for (const language of ['en', 'ar']) {
        await page.goto(own(`${path}?lang=${language}`))
        if (language === 'en') await page.getByText(text).first().waitFor()
        expect(await lookFaults(page, `immunization-doubtful${path.replaceAll('/', '-')}-${language}`)).toEqual([])
      }
    }
  })

  it.each([
    ['of nobody', { birthDate: '1962' }, {}, 'Nobody could tell whose card it is'],
    ['of what is only remembered', {}, { primarySource: false }, 'Doses that only the patient reports'],
  ])('a health card %s is not made, and the page says why', async (what, person, dose, text) => {
    app.server.behaviour.resources.push(patient(person), immunization('one', { lotNumber: '12-34 56', ...dose }))
    await using page = await browser.page()
    await opened(page)
    await page.goto(own('/certificate/health-card'))
    await page.getByText(text).waitFor()
    expect(await faultsOf(page, `no-card-${what.replaceAll(' ', '-')}`)).toEqual([])
    for (const path of ['/certificate', '/history']) {
      await page.goto(own(`${path}?lang=ar`))
      // Where the end of the lot would stand left of its beginning, the numbers were read from right to left.
      const place = (part: string) =>
        page.evaluate<number>(`(() => {
        const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const at = walker.currentNode.data.indexOf('12-34 56')
          if (at < 0) continue
          const range = document.createRange()
          range.setStart(walker.currentNode, at + '12-34 56'.indexOf('${part}'))
          range.setEnd(walker.currentNode, at + '12-34 56'.indexOf('${part}') + 2)
          return range.getBoundingClientRect().left
        }
        return -1
      })()`)
      const places = [await place('12'), await place('34'), await place('56')]
      expect(Math.min(...places), path).toBeGreaterThan(0)
      expect(places, path).toEqual(places.toSorted((one, other) => one - other))
    }
  })

  it('no forecast in the record: ours, marked on every page that shows it, and hints on doubtful doses', async () => {
    app.server.behaviour.resources.push(
      patient({ birthDate: '2025-01-10' }),
      immunization('bcg', { occurrenceDateTime: '2025-01-12', lotNumber: 'A1' }),
      immunization('bcg-again', { occurrenceDateTime: '2025-01-12' }),
      immunization('future', { occurrenceDateTime: '2031-01-12', lotNumber: 'A2' }),
    )
    await using page = await browser.page()
    await opened(page)
    await page.getByText('This forecast was calculated, not prescribed').waitFor()
    expect(await faultsOf(page, 'calculated-dashboard')).toEqual([])
    await page.goto(own('/recommendations'))
    await page.getByText('Calculated', { exact: true }).first().waitFor()
    expect(await faultsOf(page, 'calculated-recommendations')).toEqual([])
    await page.goto(own('/history'))
    await page.getByText(/entries to check/).click()
    await page.getByText('BCG: entered more than once for 12 Jan 2025').waitFor()
    expect(await faultsOf(page, 'hints')).toEqual([])
  })

  it('a record of several of one person: whose word each dose is, what is repeated, and that doses may stand elsewhere', async () => {
    const penta = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '198', display: 'DTP-HepB-Hib' }] }
    const from = (code: string) => ({
      primarySource: false,
      reportOrigin: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/immunization-origin', code }] },
    })
    app.server.behaviour.resources.push(
      patient({ birthDate: '2025-09-01', link: [{ type: 'refer', other: { reference: 'Patient/person' } }] }),
      immunization('a', { occurrenceDateTime: '2025-09-02', lotNumber: 'A1', ...from('jurisdiction') }),
      immunization('b', { occurrenceDateTime: '2026-01-05', vaccineCode: penta, lotNumber: 'B1', ...from('provider') }),
      immunization('c', { occurrenceDateTime: '2026-02-20', vaccineCode: penta, lotNumber: 'C1', ...from('recall') }),
      immunization('d', { occurrenceDateTime: '2026-03-01', vaccineCode: penta, ...from('record'), isSubpotent: true }),
      immunization('e', { occurrenceDateTime: '2026-03-02', vaccineCode: penta, ...from('school') }),
    )
    await using page = await browser.page()
    await opened(page)
    for (const [path, text] of [
      ['/dashboard', 'Reported by another provider'],
      ['/history', 'From another registry'],
      ['/recommendations', 'which has to be repeated'],
    ] as const) {
      for (const language of ['en', 'ar']) {
        await page.goto(own(`${path}?lang=${language}`))
        if (language === 'en') {
          await page.getByText(text).first().waitFor()
          await page.getByText('Another facility may keep a record of the same person').waitFor()
        }
        expect(await lookFaults(page, `immunization-several${path.replaceAll('/', '-')}-${language}`)).toEqual([])
      }
    }
  })

  it('a recommendation of somebody that is settled: that only such are listed, and no colour where nobody counted', async () => {
    app.server.behaviour.resources.push(
      patient(),
      recommendation('r', { forecastStatus: { coding: [{ code: 'immune' }] } }),
    )
    await using page = await browser.page()
    await opened(page)
    await page.getByText('Only what somebody has recommended is listed').waitFor()
    await page.getByText('Nothing more is recommended').waitFor()
    expect(await faultsOf(page, 'recommended-dashboard')).toEqual([])
    await page.goto(own('/recommendations'))
    expect(await faultsOf(page, 'recommended-recommendations')).toEqual([])
  })

  it('a FHIR server that fails: a page that shows nothing of the record and offers to try again', async () => {
    app.server.behaviour.resources.push(patient(), immunization('a'), recommendation('r'))
    await using page = await browser.page({ expectedErrors: [/500/] })
    await opened(page)
    app.clock.forward(61)
    app.server.behaviour.fhirStatus.set('Immunization', 503)
    await page.goto(own('/history'))
    await page.getByText('The record cannot be shown').waitFor()
    expect(await page.content()).not.toContain('Otieno')
    expect(await faultsOf(page, 'trouble')).toEqual([])
    app.server.behaviour.fhirStatus.clear()
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Vaccination history' }).waitFor()
  })

  it('a long record: several codes, each with its vaccines', async () => {
    app.server.behaviour.resources.push(patient(), ...manyDoses(), recommendation('r'))
    await using page = await browser.page()
    await opened(page)
    expect(await faultsOf(page, 'long-dashboard')).toEqual([])
    await page.goto(own('/certificate'))
    await page.getByText('1 of 20', { exact: true }).waitFor()
    expect(await faultsOf(page, 'long-certificate')).toEqual([])
  })
})

describe('what a page weighs', () => {
  it.each(['/dashboard', '/history', '/recommendations'])(
    '%s of 60 doses comes whole to a phone in less than 30 KB, and nothing from another host',
    async (path) => {
      app.server.behaviour.resources.push(patient(), ...manyDoses(), recommendation('r'))
      await using page = await browser.page(phone)
      await opened(page)
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      let bytes = 0
      const hosts = new Set<string>()
      session.on('Network.responseReceived', ({ response }) => {
        // The browser draws the signs of its own fields from data.
        if (!response.url.startsWith('data:')) hosts.add(new URL(response.url).host)
      })
      // With the heads of the answers, as they go over the line.
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
      await page.goto(own(path), { waitUntil: 'networkidle' })
      expect([...hosts]).toEqual([new URL(own('/')).host])
      expect(bytes).toBeGreaterThan(5_000)
      expect(bytes).toBeLessThan(30 * 1_024)
    },
  )
})
