import { useWording } from '../use-wording.ts'
import { Dialog } from './dialog.tsx'

export interface KeyboardHint {
  readonly keys: readonly string[]
  readonly does: string
}

/** The shortcuts of the page, shown on `?`. */
export function KeyboardHints({ hints }: { readonly hints: readonly KeyboardHint[] }) {
  const words = useWording()
  const everywhere = [
    { keys: ['/'], does: words.goToSearch },
    { keys: ['?'], does: words.showShortcuts },
    { keys: ['Esc'], does: words.closeOpen },
  ]
  return (
    <Dialog id="keyboard-hints" title={words.keyboard}>
      <div class="stack">
        <dl class="definitions">
          {[...hints, ...everywhere].map(({ keys, does }) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        {/* Who speaks to the machine says such keys without meaning them (WCAG 2.1.4). */}
        <label>
          <input type="checkbox" data-keys="" checked /> {words.singleKeys}
        </label>
      </div>
    </Dialog>
  )
}
