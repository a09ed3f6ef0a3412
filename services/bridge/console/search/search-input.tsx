import { Icon } from '../../../../packages/views/components/icon.tsx'
import { contentSearchMax } from '../../store/transactions.ts'
import { count } from '../numbers.ts'
import { fieldLabels } from './search-words.ts'

interface SearchInputProps {
  readonly value: string | undefined
  /** What is wrong with it. */
  readonly error: string | undefined
}

/** Text inside of messages; the key `/` goes here. One box of a longer form, so it has none of its own. */
export function SearchInput({ value, error }: SearchInputProps) {
  return (
    <div class="field search-whole">
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- `for` names the box below */}
      <label for="field-q">{fieldLabels.q}</label>
      <div class="search-box">
        <Icon name="search" />
        <input
          type="search"
          id="field-q"
          name="q"
          value={value}
          minLength={3}
          maxLength={200}
          placeholder="At least three letters"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={error === undefined ? undefined : 'true'}
          aria-describedby={describedBy(value, error)}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {value !== undefined && error === undefined && (
        <p class="hint" id="field-q-hint">
          Looked for in the newest {count(contentSearchMax)} messages of these days; for older ones choose their days.
        </p>
      )}
      {error !== undefined && (
        <p class="error" id="field-q-error">
          {error}
        </p>
      )}
    </div>
  )
}

const describedBy = (value: string | undefined, error: string | undefined): string | undefined =>
  error !== undefined ? 'field-q-error' : value === undefined ? undefined : 'field-q-hint'
