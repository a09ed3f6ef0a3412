import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isContent } from '../../packages/http/content.ts'
import { propertiesOf } from '../../packages/http/input.ts'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { hostileMarkup, liveMarkup } from './hostile-markup.ts'
import { pathOf, type AttackedRoute } from './world/attacked-route.ts'
import { addHostileThings, type HostileThings } from './world/hostile-patient.ts'
import { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Markup in every field of messages, resources, consents and referrals, looked at on every page in a real browser. */

let world: World
let browser: TestBrowser
let things: HostileThings

beforeAll(async () => {
  world = await World.start()
  browser = await openBrowser()
  let at = 0
  things = await addHostileThings(world, () => hostileMarkup[at++ % hostileMarkup.length] ?? '')
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await world?.[Symbol.asyncDispose]()
})

const isHtml = (output: object) => isContent(output) && output.mediaType?.startsWith('text/html') === true

const isPage = ({ route, door }: AttackedRoute) =>
  route.method === 'GET' &&
  Object.values(route.output).some(isHtml) &&
  (door === 'session' || ['/launch', '/login', '/verify'].includes(route.path))

const pages = () => world.routes.filter((target) => isPage(target) && target.route.path !== '/logout')

/** What exists, for the parameters of each page. */
function addressOf(target: AttackedRoute): string {
  const { service, route, origin } = target
  const { patient, transaction, subscription } = things
  const ids: Readonly<Record<string, string>> = {
    ...{ auth: patient, consent: things.consent, referral: things.referral },
    bridge: route.path.includes('subscriptions') ? subscription : transaction,
  }
  const values = { patient, channelId: 'adt', id: ids[service] ?? patient }
  const query = ['/new', '/ask'].includes(route.path) ? `?patient=${patient}` : ''
  return `${origin}${pathOf(target, values)}${query}`
}

describe('markup from outside', { timeout: slowMs }, () => {
  it('is text on every page', async () => {
    const page = await browser.page({ expectedErrors: [/status of 40[04]/] })
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(`${page.url()}: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.goto(`${world.origin('auth')}/portal`)
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('Password').fill('demo')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/portal')
    await page.goto(`${world.origin('auth')}/portal/patients/${things.patient}`)
    await page.getByLabel('App').selectOption('Immunizations')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.waitForURL('**/dashboard')

    const wrong: string[] = []
    let shown = 0
    for (const target of pages()) {
      await page.goto(addressOf(target), { waitUntil: 'load' })
      const found = await page.evaluate<string[]>(liveMarkup)
      wrong.push(...found.map((what) => `${target.name}: ${what}`))
      if (/alert\(\d+\)/.test((await page.textContent('body')) ?? '')) shown++
    }
    expect([...wrong, ...dialogs]).toEqual([])
    // The texts are really there, on most of the pages that tell of people and messages.
    expect(shown).toBeGreaterThan(18)
    // Throws when the page complained of anything: a script that was blocked, an exception, a missing file.
    await page.close()
  })

  it('in a query comes back as text or not at all', async () => {
    const cookie = (await world.people()).admin
    const wrong: string[] = []
    for (const target of pages()) {
      for (const name of Object.keys(propertiesOf(target.route.input?.query ?? {}))) {
        for (const markup of hostileMarkup.slice(0, 4)) {
          const path = `${new URL(addressOf(target)).pathname}?${new URLSearchParams({ [name]: markup })}`
          const headers = { cookie, accept: 'text/html' }
          const { answer, faults } = await world.send('markup in a query', target, { path, headers })
          if (/[<"']/.test(markup) && answer.text.includes(markup)) wrong.push(`${target.name} ${name}: ${markup}`)
          wrong.push(...faults.map((fault) => `${target.name} ${name}: ${fault}`))
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
