import { useWording } from '../use-wording.ts'
import { controlAttributes, FieldFrame } from './field-frame.tsx'
import type { FieldWords } from './field-frame.tsx'

export interface SelectProps extends FieldWords {
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value?: string | undefined
}

export function Select({ options, value, ...words }: SelectProps) {
  const { choose } = useWording()
  // Without a choice the browser takes the first: what has to be chosen is chosen by somebody.
  const isOpen = words.required === true && options.every((option) => option.value !== value)
  return (
    <FieldFrame {...words}>
      <select {...controlAttributes(words)}>
        {isOpen && <option value="">{choose}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
