import { controlAttributes, FieldFrame } from './field-frame.tsx'
import type { FieldWords } from './field-frame.tsx'

export interface SelectProps extends FieldWords {
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value?: string | undefined
}

export function Select({ options, value, ...words }: SelectProps) {
  return (
    <FieldFrame {...words}>
      <select {...controlAttributes(words)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
