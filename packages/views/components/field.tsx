import { controlAttributes, FieldFrame } from './field-frame.tsx'
import type { FieldWords } from './field-frame.tsx'

export interface FieldProps extends FieldWords {
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'date' | 'datetime-local' | 'number' | 'url'
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly maxLength?: number
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel' | 'url'
  /** Where the reader goes on when the page is there. */
  readonly autofocus?: boolean
  /** More than one line. */
  readonly rows?: number
}

export function Field({
  type = 'text',
  value,
  autocomplete,
  maxLength,
  inputMode,
  autofocus,
  rows,
  ...words
}: FieldProps) {
  // Preact's types tell inputs apart by a literal type; these attributes are the same for all of ours, so one stands for all.
  const asOne = type as 'text'
  const common = { ...controlAttributes(words), autocomplete, maxLength, autofocus }
  return (
    <FieldFrame {...words}>
      {rows === undefined ? (
        <input {...common} type={asOne} value={value} inputMode={inputMode} />
      ) : (
        <textarea {...common} rows={rows} value={value} />
      )}
    </FieldFrame>
  )
}
