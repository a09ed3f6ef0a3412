import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import {
  openBrowser,
  openBrowserMsMax,
  type PageOptions,
  type TestBrowser,
} from '../../packages/testkit/browser/browser.ts'
import { adtA01, adtA08 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { renderFragment } from '../../packages/views/render.ts'
import { troubledFlow } from '../../services/bridge/console/fixtures/troubled-flow.ts'
import { FlowView } from '../../services/bridge/console/overview/overview-page.tsx'
import { lookFaults, pageFaults } from './page-faults.ts'
import { signedIn } from './signed-in.ts'

let corridor: TestCorridor
let browser: TestBrowser
const deps = { clock: systemClock, ids: systemIds }
const pageBytesMax = 80_000

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'] })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

const open = (path: string, user = 'admin', options: PageOptions = {}) =>
  signedIn(`${corridor.url('bridge')}${path}`, user, { browser, ...options })

const adtPort = () => corridor.configuration.bridge.channels.adt.port

async function send(text: string): Promise<string> {
  await using his = await openHl7Sender({ host: '127.0.0.1', port: adtPort() })
  return (await his.send(text)).ackCode
}

/** Something that is no message. */
function sendNoise(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(adtPort(), '127.0.0.1', () => socket.end('GET / HTTP/1.1\r\n\r\n'))
    socket.once('close', () => resolve()).once('error', reject)
  })
}

it('shows what flows, and renews it in place', async () => {
  const page = await open('/console', 'admin', { expectedErrors: [/503/] })
  await page.getByText('No message has come in yet').waitFor()
  expect(await pageFaults(page, 'console-overview-empty')).toEqual([])
  // On a tablet, or enlarged: nothing tells that there is more beyond an edge, so nothing may be there.
  await page.setViewportSize({ width: 768, height: 1024 })
  const unseen = `[...document.querySelectorAll('nav a')]
    .filter((way) => way.getBoundingClientRect().right > innerWidth).map(({ innerText }) => innerText)`
  expect(await page.evaluate<string[]>(unseen)).toEqual([])
  expect(await send(adtA01({ controlId: 'OVER-1' }, deps))).toBe('AA')
  expect(await send(adtA08({ controlId: 'OVER-2' }, deps))).toBe('AA')
  expect(
    await send('MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A99|OVER-3|P|2.5.1\rPID|1||1^^^CENTRAL^MR\r'),
  ).toBe('AR')
  await page.getByText('ADT^A08').waitFor()
  expect(await pageFaults(page, 'console-overview')).toEqual([])
  expect((await (await page.request.get(page.url())).body()).length).toBeLessThan(pageBytesMax)
  await page.route('**/console/now', (route) =>
    route.fulfill({ contentType: 'text/html', body: renderFragment(<FlowView flow={troubledFlow} />) }),
  )
  await page.getByText('FHIR server: does not answer').waitFor()
  expect(await pageFaults(page, 'console-overview-troubled')).toEqual([])
  await page.route('**/console/now', (route) => route.fulfill({ status: 503 }))
  await page.locator('.live[data-stale]').waitFor()
  await page.getByRole('status').getByText('The bridge does not answer').waitFor()
  expect(await pageFaults(page, 'console-overview-stale')).toEqual([])
  await page.unroute('**/console/now')
  await page.context().clearCookies()
  await page.getByRole('status').getByText('Your session is over').waitFor()
  expect(await page.getByText('The bridge does not answer').isVisible()).toBe(false)
  expect(await lookFaults(page, 'console-overview-signed-out', 'phone')).toEqual([])
  await page.getByRole('status').getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('**/login?*')
  await page.close()
})

it('pauses a channel and resumes it, with and without scripts', async () => {
  await sendNoise()
  const page = await open('/console/channels')
  expect(await pageFaults(page, 'console-channels')).toEqual([])
  await page.getByRole('button', { name: 'Pause ADT' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause the channel' }).click()
  await page.locator('tr', { hasText: 'ADT' }).getByText('Paused').waitFor()
  await expect(send(adtA08({ controlId: 'OVER-4' }, deps))).rejects.toThrow('ECONNREFUSED')
  await page.getByRole('button', { name: 'Resume ADT' }).click()
  await page.locator('tr', { hasText: 'ADT' }).getByText('Listening').waitFor()
  expect(await send(adtA08({ controlId: 'OVER-4' }, deps))).toBe('AA')
  await page.getByRole('link', { name: /ADT/ }).click()
  await page.getByText('Resumed by').waitFor()
  expect(await pageFaults(page, 'console-channel')).toEqual([])
  await page.getByRole('button', { name: 'Pause ADT' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause the channel' }).click()
  await page.getByRole('alert').getByText('ADT is paused').waitFor()
  await page.getByRole('button', { name: 'Resume ADT' }).click()
  await page.getByRole('alert').getByText('ADT takes messages again').waitFor()
  await page.goto(`${corridor.url('bridge')}/console/channels/oru?switched=oru`)
  expect(await page.getByRole('alert').count(), 'an address says nothing').toBe(0)
  await page.close()

  const plain = await open('/console/channels/siu', 'admin', { javaScript: false })
  await plain.getByRole('button', { name: 'Pause the channel' }).click()
  await plain.getByText('Paused by').waitFor()
  await plain.getByRole('button', { name: 'Resume' }).click()
  await plain.getByText('Resumed by').waitFor()
  await plain.close()
})

it('resets the breakers and says who did it', async () => {
  const page = await open('/console/breakers?reset=true')
  await page.getByText('Nobody has reset them yet.').waitFor()
  expect(await page.getByText('You have reset all breakers').count(), 'an address says nothing').toBe(0)
  await page.getByRole('button', { name: 'Reset all' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset and try what waits' }).press('Enter')
  await page.getByText('You have reset all breakers').waitFor()
  await page.getByText('Last reset by').waitFor()
  expect(await pageFaults(page, 'console-breakers')).toEqual([])
  await page.goto(`${corridor.url('bridge')}/console/breakers`)
  expect(await page.getByText('You have reset all breakers').count()).toBe(0)
  await page.close()
})

it('shows subscriptions with their deliveries, and sends one again that was given up', async () => {
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  const delivered = async () =>
    (await database.many(sql`select 1 from bridge.deliveries where status = 'delivered'`)).length
  await expect.poll(delivered, { timeout: 20_000 }).toBeGreaterThan(0)
  const giveUpOne = () =>
    database.one<{ id: string }>(sql`
      update bridge.deliveries set status = 'dead', last_error = 'The receiver answered with status 503.'
      where id = (select id from bridge.deliveries where status = 'delivered' order by created_at desc, id limit 1)
      returning subscription_id as id`)
  const { id } = await giveUpOne()
  const page = await open('/console/subscriptions')
  expect(await page.locator('tbody tr').count()).toBe(17)
  expect(await pageFaults(page, 'console-subscriptions')).toEqual([])
  await page.locator('tr', { hasText: id }).getByRole('link').click()
  await page.getByText('The receiver answered with status 503.').waitFor()
  expect(await pageFaults(page, 'console-deliveries')).toEqual([])
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('It is sent again').waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      return page.locator('tbody').getByText('Given up', { exact: true }).count()
    })
    .toBe(0)
  await giveUpOne()
  await database.close()
  await page.getByRole('link', { name: 'Given up' }).click()
  expect(await page.locator('tbody tr').count()).toBe(1)
  expect(await pageFaults(page, 'console-deliveries-given-up')).toEqual([])
  await page.getByRole('button', { name: 'Send all given up again' }).click()
  await page.getByText('It is sent again').waitFor()
  await page.getByText('There is no delivery in this state.').waitFor()
  await page.close()
})

it('is closed to whoever is no administrator', async () => {
  const page = await open('/console', 'clinician', { expectedErrors: [/403/] })
  await page.getByText('This page is for administrators.').waitFor()
  expect(await pageFaults(page, 'console-forbidden')).toEqual([])
  await page.close()
})
