import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../../../packages/http/testing/test-server.ts'
import { accessibilityViolations } from '../../../../packages/testkit/browser/axe.ts'
import { openBrowser, type TestBrowser } from '../../../../packages/testkit/browser/browser.ts'
import { findBrowser, searchThisMachine } from '../../../../packages/testkit/browser/find-browser.ts'
import { screenshot } from '../../../../packages/testkit/browser/screenshot.ts'
import { hang, pass, refuse, status } from '../../../../packages/testkit/fault-modes.ts'
import { startFaultProxy } from '../../../../packages/testkit/fault-proxy.ts'
import { viewAssets } from '../../../../packages/views/assets.ts'
import { servedAssets } from '../../../../packages/views/served-assets.ts'
import { appAssets, assetAddresses } from '../../views/app-assets.ts'
import type { PublicSigningKey } from '../keys/public-signing-key.ts'
import { healthCard, healthCardCodes, healthCardFile, numericText } from '../health-card.ts'
import { drawPng } from '../qr-png.ts'
import { history } from '../testing/histories.ts'
import { testSigningKey, type TestSigningKey } from '../testing/test-signing-key.ts'
import { videoOf } from '../testing/video-of.ts'
import { verifyRoutes, type VerifyDeps } from './verify-routes.tsx'

const issuer = 'https://immunization.example.org'
const installMsMax = 360_000
let key: TestSigningKey
/** What the key set has at the moment. */
let published: PublicSigningKey[]
let server: TestServer
let browser: TestBrowser

beforeAll(async () => {
  key = await testSigningKey()
  published = [key.publicKey]
  const kit = servedAssets(viewAssets())
  const own = appAssets()
  server = await testServer<VerifyDeps>([...verifyRoutes(), ...kit.routes, ...own.routes], {
    deps: {
      settings: { isSecure: false },
      cardIssuers: { all: () => [issuer] },
      certificateKeys: { publicKeys: () => ({ keys: published }) },
      assetUrl: assetAddresses(own, kit.urlOf),
    },
  })
  browser = await openBrowser()
}, installMsMax)
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

const card = (name = 'Amina', by = key) =>
  healthCard({
    patient: { name: null, family: 'Diallo', given: [name], birthDate: '2025-03-01' },
    ...{ immunizations: history(5), issuer, issuedAt: new Date('2026-03-04T05:06:07Z'), today: '2026-03-04', key: by },
  })

/** A picture of the card's code, as a telephone would have taken it: with paper around. */
async function picture(): Promise<Buffer> {
  const [code] = await healthCardCodes({
    patient: { name: null, family: 'Diallo', given: ['Amina'], birthDate: '2025-03-01' },
    ...{ immunizations: history(5), issuer, issuedAt: new Date('2026-03-04T05:06:07Z'), today: '2026-03-04', key },
  })
  return drawPng(code?.matrix ?? [], 700)
}

const title = (page: Page) => page.locator('#verdict-title')
const valid = 'Valid: signed by this service and unchanged'
const invalid = 'This cannot be confirmed'

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel(/What a code reader shows/).fill(text)
  await page.getByRole('button', { name: 'Check' }).click()
}

describe('the verification page', () => {
  it('confirms a pasted card: whose it is, and every dose', async () => {
    await using page = await browser.page({ width: 390, height: 844 })
    await page.goto(`${server.url}/verify`)
    await screenshot(page, 'verify-empty-390')
    expect(await accessibilityViolations(page)).toEqual([])
    await paste(page, numericText(await card()))
    await expect.poll(() => title(page).textContent()).toBe(valid)
    expect(await page.locator('#certified-name').textContent()).toBe('Amina Diallo')
    expect(await page.locator('#certified-doses li').count()).toBe(5)
    expect(await page.locator('#certified-doses li').first().textContent()).toContain('BCG2025-03-01lot L1000')
    expect(await title(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await screenshot(page, 'verify-valid-390')
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  })

  it('says why it does not confirm, and shows nothing of what was claimed', async () => {
    await using page = await browser.page({ colorScheme: 'dark' })
    await page.goto(`${server.url}/verify`)
    const [header, , signature] = (await card()).split('.')
    const [, payload] = (await card('Other')).split('.')
    await paste(page, [header, payload, signature].join('.'))
    await expect.poll(() => page.locator('#verdict').textContent()).toContain('It was changed after it was signed')
    expect(await title(page).textContent()).toBe(invalid)
    expect(await page.locator('#certified').isVisible()).toBe(false)
    await screenshot(page, 'verify-invalid-1280-dark')
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('reads a photo of the code and a health-card file', async () => {
    await using page = await browser.page()
    await page.goto(`${server.url}/verify`)
    const file = page.locator('#certificate-file')
    await file.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: await picture() })
    await expect.poll(() => title(page).textContent()).toBe(valid)
    await file.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: drawPng([[false]], 200) })
    await expect.poll(() => page.locator('#verify-notice').textContent()).toContain('No code was found')
    const content = Buffer.from(healthCardFile([await card()]))
    await file.setInputFiles({ name: 'a.smart-health-card', mimeType: 'application/octet-stream', buffer: content })
    await expect.poll(() => title(page).textContent()).toBe(valid)
  })

  it('opens and works without a network once it has been open', async () => {
    await using page = await browser.page()
    await page.goto(`${server.url}/verify`)
    await page.locator('html[data-offline="ready"]').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.context().setOffline(true)
    await page.reload()
    await paste(page, numericText(await card()))
    await expect.poll(() => title(page).textContent()).toBe(valid)
    await page.locator('#certificate-file').setInputFiles({
      ...{ name: 'code.png', mimeType: 'image/png', buffer: await picture() },
    })
    await expect.poll(() => title(page).textContent()).toBe(valid)
  })

  it('that was kept is shown only without a network: with one, the page of today opens in the language that is asked for', async () => {
    await using page = await browser.page()
    await page.goto(`${server.url}/verify`)
    await page.locator('html[data-offline="ready"]').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    const newer = await testSigningKey()
    published.push(newer.publicKey)
    await page.goto(`${server.url}/verify?lang=fr`)
    expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    expect(await page.getAttribute('html', 'lang')).toBe('fr')
    expect(await page.getAttribute('#verify', 'data-settings')).toContain(newer.publicKey.kid)
  })

  it.each([
    ['of a network that leads nowhere', hang],
    ['of a gateway that says that the service is away', status(503)],
  ])('is opened from what was kept in spite %s, which the browser takes for one', async (_what, mode) => {
    await using proxy = await startFaultProxy({ port: Number(new URL(server.url).port) })
    await using page = await browser.page({ expectedErrors: [/Failed to load resource.*\/verify/] })
    await page.goto(`${proxy.url}/verify`)
    await page.locator('html[data-offline="ready"]').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await proxy.set(mode)
    await page.reload()
    expect(await page.evaluate('navigator.onLine')).toBe(true)
    await paste(page, numericText(await card()))
    await expect.poll(() => title(page).textContent()).toBe(valid)
    // What hung ends, and another network is there.
    await proxy.set(refuse)
    await proxy.set(pass)
    await page.reload()
    await page.locator('html[data-offline="ready"]').waitFor()
  })

  it('that has been open since before the keys changed asks for those of today, and says when it cannot', async () => {
    await using page = await browser.page({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] })
    await page.goto(`${server.url}/verify`)
    // What is being kept when the network goes fails, and the browser says so.
    await page.locator('html[data-offline="ready"]').waitFor()
    const newer = await testSigningKey()
    const signed = numericText(await card('Amina', newer))
    await page.context().setOffline(true)
    await paste(page, signed)
    await expect.poll(() => page.locator('#verdict-reason').textContent()).toContain('The page may be old')
    await page.context().setOffline(false)
    await paste(page, signed)
    await expect.poll(() => page.locator('#verdict-reason').textContent()).toContain('that this service does not know')
    published.push(newer.publicKey)
    await paste(page, signed)
    await expect.poll(() => title(page).textContent()).toBe(valid)
  })

  it('that has been away from the network confirms nothing that was signed with a key withdrawn meanwhile', async () => {
    const stolen = await testSigningKey()
    published.push(stolen.publicKey)
    await using page = await browser.page()
    await page.goto(`${server.url}/verify`)
    await page.locator('html[data-offline="ready"]').waitFor()
    const signed = numericText(await card('Amina', stolen))
    await page.context().setOffline(true)
    published = published.filter(({ kid }) => kid !== stolen.kid)
    await paste(page, signed)
    await expect.poll(() => title(page).textContent()).toBe(valid)
    await page.context().setOffline(false)
    await paste(page, signed)
    await expect.poll(() => page.locator('#verdict-reason').textContent()).toContain('that this service does not know')
    expect(await page.locator('#certified').isVisible()).toBe(false)
  })

  it('leaves no verdict in sight that is of another certificate, however long the keys are waited for', async () => {
    await using proxy = await startFaultProxy({ port: Number(new URL(server.url).port) })
    await using page = await browser.page({ expectedErrors: [/Failed to load resource/] })
    await page.goto(`${proxy.url}/verify`)
    await page.locator('html[data-offline="ready"]').waitFor()
    const known = numericText(await card())
    await paste(page, known)
    await expect.poll(() => title(page).textContent()).toBe(valid)
    await proxy.set(hang)
    const asked = page.waitForRequest(/jwks/)
    const failed = page.waitForEvent('requestfailed')
    await paste(page, numericText(await card('Awa', await testSigningKey())))
    await asked
    expect(await page.locator('#verdict').isVisible()).toBe(false)
    await paste(page, known)
    await expect.poll(() => page.locator('#verdict').isVisible()).toBe(true)
    await proxy.set(refuse)
    await failed
    // Whatever the page makes of it, it has made by then.
    await page.evaluate('caches.keys()')
    expect(await title(page).textContent()).toBe(valid)
    expect(await page.locator('#certified-name').textContent()).toBe('Amina Diallo')
  })

  it('speaks Arabic from right to left', async () => {
    await using page = await browser.page({ width: 390, height: 844 })
    await page.goto(`${server.url}/verify?lang=ar`)
    await page.locator('#certificate-text').fill(numericText(await card()))
    await page.getByRole('button', { name: 'تحقق', exact: true }).click()
    await expect.poll(() => title(page).textContent()).toBe('صحيحة: موقّعة من هذه الخدمة ولم تتغير')
    await screenshot(page, 'verify-valid-390-ar')
    // Latin words among Arabic ones keep their order, and a code its own direction.
    expect(await page.locator('#certified-doses li').first().locator('bdi').allTextContents()).toEqual([
      ...['BCG', 'L1000', 'Riverside Health Centre'],
    ])
    expect(await page.locator('#certificate-text').getAttribute('dir')).toBe('ltr')
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl')
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('says so when there is no camera', async () => {
    await using page = await browser.page()
    await page.goto(`${server.url}/verify`)
    await page.getByRole('button', { name: 'Use the camera' }).click()
    await expect.poll(() => page.locator('#verify-notice').textContent()).toContain('The camera cannot be used.')
  })

  it('sees the code through the camera', { timeout: 90_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-camera-'))
    const video = join(folder, 'code.y4m')
    await writeFile(video, videoOf(await picture()))
    const withCamera = await chromium.launch({
      executablePath: await findBrowser(searchThisMachine()),
      args: [
        '--disable-gpu',
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${video}`,
      ],
      chromiumSandbox: false,
    })
    try {
      const page = await withCamera.newPage()
      await page.goto(`${server.url}/verify`)
      await page.getByRole('button', { name: 'Use the camera' }).click()
      await expect.poll(() => title(page).textContent(), { timeout: 30_000 }).toBe(valid)
      expect(await page.locator('#camera-view').isVisible()).toBe(false)
    } finally {
      await withCamera.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
