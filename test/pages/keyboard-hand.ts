import type { Locator, Page } from 'playwright-core'
import { tabUntil } from '../browser/tab-until.ts'

/** More stops than any page has: what is not reached by then cannot be reached. */
const stopsMax = 300

/** Works a page as somebody does who has no mouse. */
export class KeyboardHand {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Presses Tab until the thing has the focus. */
  async goTo(thing: Locator): Promise<void> {
    const wanted = thing.first()
    await wanted.waitFor()
    // Without its scripts a page does not know what some of its keys and buttons are for.
    await this.page.waitForLoadState()
    await tabUntil(this.page, { thing: wanted, stopsMax })
  }

  async press(button: string | RegExp): Promise<void> {
    await this.enter(this.page.getByRole('button', { name: button }))
  }

  async follow(link: string | RegExp): Promise<void> {
    await this.enter(this.page.getByRole('link', { name: link }))
  }

  async enter(thing: Locator): Promise<void> {
    await this.goTo(thing)
    await this.page.keyboard.press('Enter')
  }

  async type(label: string | RegExp, text: string): Promise<void> {
    await this.goTo(this.page.getByLabel(label))
    await this.page.keyboard.type(text)
  }

  /** Of a list of choices the one that begins so: typing its first letters chooses it. */
  async choose(label: RegExp, words: string): Promise<void> {
    const list = this.page.getByRole('combobox', { name: label })
    await this.goTo(list)
    await this.page.keyboard.type(words)
    const chosen = await list.locator('option:checked').innerText()
    if (!chosen.startsWith(words)) throw new Error(`${label.source} is ${chosen}, not ${words}.`)
  }

  async tick(label: string): Promise<void> {
    await this.goTo(this.page.getByLabel(label))
    await this.page.keyboard.press('Space')
  }

  /** `/` goes to the search box of a page. */
  async search(text: string): Promise<void> {
    await this.page.keyboard.press('/')
    await this.page.keyboard.type(text)
    await this.page.keyboard.press('Enter')
  }

  async signIn(user: string): Promise<void> {
    await this.type('User name', user)
    await this.type('Password', 'demo')
    await this.page.keyboard.press('Enter')
  }
}
