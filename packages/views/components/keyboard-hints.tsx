import { Dialog } from './dialog.tsx'

export interface KeyboardHint {
  readonly keys: readonly string[]
  readonly does: string
}

/** The shortcuts of the page, shown on `?`. */
export function KeyboardHints({ hints }: { readonly hints: readonly KeyboardHint[] }) {
  return (
    <Dialog id="keyboard-hints" title="Keyboard" keyboardHints>
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
    </Dialog>
  )
}

const everywhere: readonly KeyboardHint[] = [
  { keys: ['/'], does: 'Go to the search' },
  { keys: ['?'], does: 'Show this list' },
  { keys: ['Esc'], does: 'Close what is open' },
]
