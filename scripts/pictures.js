// Takes the pictures of the README from a running demo, so that they never show what is no longer there.
//   npm run pictures
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfNeeded } from './build.js'
import { root } from './run.js'

const folder = join(root, 'docs', 'images')
const shots = [
  { name: 'portal', path: '/portal?search=m', width: 1280, height: 720, colorScheme: 'light' },
  { name: 'api-reference', path: '/docs', width: 1280, height: 720, colorScheme: 'dark' },
]

await buildIfNeeded()
const { openBrowser } = await import('../dist/packages/testkit/browser/browser.js')
const { ownPlace, startCommand } = await import('../dist/packages/testkit/corridor-command.js')

const place = await ownPlace()
const corridor = await startCommand(['start', '--demo'], place)
const browser = await openBrowser()
try {
  await corridor.waitForLine(/^Corridor is ready$/)
  await mkdir(folder, { recursive: true })
  const base = `http://localhost:${place.environment.CORRIDOR_AUTH_PORT}`
  for (const { name, path, ...look } of shots) {
    const page = await browser.page(look)
    await signIn(page, base)
    await page.goto(`${base}${path}`)
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

async function signIn(page, base) {
  await page.goto(`${base}/login`)
  await page.fill('input[name=username]', 'clinician')
  await page.fill('input[name=password]', 'demo')
  await page.click('button[type=submit]')
  await page.waitForURL('**/portal**')
}
