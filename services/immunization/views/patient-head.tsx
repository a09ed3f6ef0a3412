import { ageOf } from '../../../packages/people/age.ts'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import type { Person } from '../read-model/patient-record.ts'
import { useWords, type Words } from '../words/words.ts'

export interface BannerModel {
  readonly name: string | null
  readonly birthDate: string | null
  /** The same as exactly as it is known. */
  readonly born: string | null
  readonly sex: string | null
  readonly number: string | null
  readonly death: Person['death']
  readonly today: string
  /** A launch for this patient has just closed the record of another one. */
  readonly hasReplacedOther: boolean
}

/** Whose record this is: the same place and order on every page. */
export function PatientHead({ name, birthDate, born, sex, number, death, today, hasReplacedOther }: BannerModel) {
  const words = useWords()
  const { text } = words
  return (
    <PatientBanner
      name={name ?? text('nameUnknown')}
      birthDate={born ?? undefined}
      age={birthDate === null || death !== null ? undefined : ageInWords(birthDate, today, words)}
      death={
        death === null
          ? undefined
          : { day: death.day ?? undefined, age: ageAtDeath({ birthDate, day: death.day }, words) }
      }
      sex={sex === null ? undefined : sexInWords(sex, words)}
      identifiers={number === null ? [] : [{ label: text('patientNumber'), value: number }]}
      {...(hasReplacedOther ? { warning: text('replacedOther') } : {})}
    />
  )
}

/** Where both days are known as days. */
function ageAtDeath(
  { birthDate, day }: { readonly birthDate: string | null; readonly day: string | null },
  words: Words,
): string | undefined {
  return birthDate === null || day?.length !== 10 || day < birthDate ? undefined : ageInWords(birthDate, day, words)
}

function ageInWords(birthDate: string, today: string, { span }: Words): string | undefined {
  const age = ageOf(birthDate, today)
  return age && span(age.count, age.unit)
}

function sexInWords(sex: string, { text }: Words): string {
  if (sex === 'female') return text('female')
  if (sex === 'male') return text('male')
  return sex === 'other' ? text('otherSex') : text('unknown')
}
