import type { ComponentChildren } from 'preact'
import { useWording } from '../use-wording.ts'

export interface FieldWords {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with the value and how to put it right. */
  readonly error?: string | undefined
  readonly required?: boolean
  /** Tells two fields of the same name on one page apart. */
  readonly id?: string
}

/** The label, hint and error around a control; `controlAttributes` ties the control to them. */
export function FieldFrame({ children, ...words }: FieldWords & { readonly children: ComponentChildren }) {
  const { label, hint, error, required } = words
  const { optional } = useWording()
  const id = idOf(words)
  return (
    <div class="field">
      <label for={id}>
        {label}
        {required !== true && <span class="optional"> ({optional})</span>}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

export function controlAttributes(words: FieldWords) {
  const id = idOf(words)
  const described = [words.hint !== undefined && `${id}-hint`, words.error !== undefined && `${id}-error`].filter(
    Boolean,
  )
  return {
    id,
    name: words.name,
    required: words.required === true,
    'aria-invalid': words.error === undefined ? undefined : ('true' as const),
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
  }
}

/** Where a field of this name is on a page that has one of it. */
export const fieldId = (name: string): string => `field-${name}`

const idOf = ({ id, name }: FieldWords): string => id ?? fieldId(name)
