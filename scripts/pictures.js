// Takes the pictures of the README from a running demo after a tour, so that they never show what is no longer there.
//   npm run pictures
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildIfNeeded } from './build.js'
import { root } from './run.js'

const folder = join(root, 'docs', 'images')
const look = { width: 1280, height: 800, colorScheme: 'light' }
/** Three of them stand side by side; what is below the first screen is what they are shown for. */
const tall = { ...look, height: 1080 }

await buildIfNeeded()
const { openBrowser } = await import('../dist/packages/testkit/browser/browser.js')
const { ownPlace, runCommand, startCommand } = await import('../dist/packages/testkit/corridor-command.js')

const place = await ownPlace()
const corridor = await startCommand(['start', '--demo'], place)
const browser = await openBrowser()
try {
  await corridor.waitForLine(/^Corridor is ready$/, { deadlineMs: 120_000 })
  const addresses = await tourAddresses()
  await mkdir(folder, { recursive: true })
  for (const { name, url, account, as = tall } of shots(addresses)) {
    const page = await browser.page(as)
    await page.goto(url)
    await signIn(page, account)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await page.close()
    console.log(`docs/images/${name}.png`)
  }
} finally {
  await browser.close()
  await corridor.kill('SIGTERM')
  await place[Symbol.asyncDispose]()
}

/** Three tours bring some life into the record, the last one in a minute of its own; the addresses are those of it. */
async function tourAddresses() {
  let said = { out: '' }
  for (let times = 0; times < 3; times++) {
    if (times === 2) await setTimeout(60_000 - (Date.now() % 60_000))
    said = await runCommand(['tour', '--yes'], place)
    if (said.code !== 0) throw new Error(`The tour failed: ${said.err}`)
  }
  return said.out.match(/http:\/\/localhost\S+/g) ?? []
}

function shots(addresses) {
  const { CORRIDOR_FHIR_PORT: fhirPort, CORRIDOR_IMMUNIZATION_PORT: appPort } = place.environment
  const fhir = `http://localhost:${fhirPort}/fhir`
  const messages = addresses.filter((url) => url.includes('/console/messages/'))
  return [
    { name: 'console', url: addresses.find((url) => url.endsWith('/console')), account: 'admin', as: look },
    // The second message of the tour is the critical result.
    { name: 'message', url: messages[1], account: 'admin' },
    { name: 'referral', url: addresses.find((url) => url.includes('/referrals/')), account: 'clinician' },
    {
      name: 'vaccinations',
      url: `http://localhost:${appPort}/launch?iss=${encodeURIComponent(fhir)}`,
      account: 'patient',
    },
  ]
}

async function signIn(page, account) {
  await page.fill('input[name=username]', account)
  await page.fill('input[name=password]', 'demo')
  await page.click('button[type=submit]')
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await page.waitForLoadState('networkidle')
}
