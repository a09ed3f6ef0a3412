import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../packages/testkit/browser/axe.ts'
import { openBrowser, openBrowserMsMax } from '../../packages/testkit/browser/browser.ts'
import { contrastFaults } from '../../packages/testkit/browser/contrast.ts'

const page = `<!doctype html><html lang="en"><title>Colours</title><style>
  body { color: light-dark(#000, #fff); background: light-dark(#fff, #000); color-scheme: light dark }
  .card { background: light-dark(#fff, #777) }
  .faint { color: light-dark(#767676, #555) }
  .veil { color: light-dark(#000, #ffffff55) }
  h2 { font-size: 24px; font-weight: 400; color: light-dark(#949494, #696969) }
  .mixed { color: light-dark(#000, oklch(30% 0.1 200)) }
  .gone { position: absolute; width: 1px; height: 1px; overflow: hidden }
</style><main><h1>Plain</h1><h2>Large and faint enough</h2>
<p class="faint">Faint</p><p class="veil">Veiled</p><p class="mixed">Mixed</p>
<div class="card"><p>On a card</p></div>
<label>Name <input class="faint" value="Typed"></label>
<button disabled class="faint">Not now</button><p class="faint gone">Read aloud only</p><p class="faint" hidden>Hidden</p>
</main></html>`

it(
  'what stands out too little in the dark is told as axe tells it, and nothing in the light',
  async () => {
    await using browser = await openBrowser()
    await using opened = await browser.page({ colorScheme: 'light' })
    await opened.setContent(page)
    expect(await contrastFaults(opened)).toEqual([])
    await opened.emulateMedia({ colorScheme: 'dark' })
    const faults = await contrastFaults(opened)
    expect(faults.map((fault) => /“(.*)”/.exec(fault)?.[1])).toEqual(['Faint', 'Veiled', 'Mixed', 'On a card', 'Typed'])
    expect(faults[0]).toBe('“Faint” stands out by 2.82 to 1, not 4.5 to 1')
    expect(await accessibilityViolations(opened, { rules: ['color-contrast'] })).toHaveLength(faults.length)
  },
  openBrowserMsMax,
)
