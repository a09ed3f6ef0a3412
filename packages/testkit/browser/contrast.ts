import type { Page } from 'playwright-core'

/**
 * Texts that stand out too little from what is behind them, one line each. It takes the colour behind a text from the
 * elements around it, where axe looks at every point of it: enough for a page whose parts axe has seen elsewhere, at a
 * thirtieth of the time.
 */
export function contrastFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${faultsInPage.toString()})()`)
}

/** Runs in the page. By WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 for large text; what cannot be used may be faint. */
function faultsInPage(): string[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number]
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  if (canvas === null) throw new Error('the page has no canvas to mix colours on')
  const known = new Map<string, Colour>()
  /** Any way to write a colour, read as the screen would show it. */
  const colourOf = (text: string): Colour => {
    const found = known.get(text)
    if (found !== undefined) return found
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = text
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    const colour = [red, green, blue, alpha / 255] as const
    known.set(text, colour)
    return colour
  }
  const over = ([r, g, b, a]: Colour, [below0, below1, below2]: Colour): Colour => [
    r * a + below0 * (1 - a),
    g * a + below1 * (1 - a),
    b * a + below2 * (1 - a),
    1,
  ]
  const behind = (element: Element | null): Colour => {
    if (element === null) return colourOf('Canvas')
    const colour = colourOf(getComputedStyle(element).backgroundColor)
    return colour[3] === 1 ? colour : over(colour, behind(element.parentElement))
  }
  const luminance = (colour: Colour): number => {
    const [red = 0, green = 0, blue = 0] = colour
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one: Colour, other: Colour): number => {
    const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (bright + 0.05) / (dark + 0.05)
  }
  const wordsOf = (element: Element): string =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.value || element.placeholder
      : [...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.textContent ?? '')
          .join('')
          .trim()
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const words = wordsOf(element)
    if (words === '' || !isShown(element) || element.closest(':disabled, [aria-disabled="true"], svg') !== null)
      return []
    const style = getComputedStyle(element)
    const below = behind(element)
    const ratio = contrast(over(colourOf(style.color), below), below)
    const pixels = parseFloat(style.fontSize)
    const isLarge = pixels >= 24 || (pixels >= 18.66 && Number(style.fontWeight) >= 700)
    const least = isLarge ? 3 : 4.5
    return ratio < least ? [`“${words.slice(0, 40)}” stands out by ${ratio.toFixed(2)} to 1, not ${least} to 1`] : []
  })
}
