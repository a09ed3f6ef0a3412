import { describe, expect, it } from 'vitest'
import { answers } from '../../faults/answers.ts'
import { Fault, faultKinds } from '../../faults/fault.ts'
import { problemOf } from '../../faults/render.ts'
import { renderFragment } from '../render.ts'
import { Button } from './button.tsx'
import { BarChart } from './bar-chart.tsx'
import { Field } from './field.tsx'
import { Pagination } from './pagination.tsx'
import { PersonName } from './person-name.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { Progress } from './progress.tsx'
import { Select, type SelectProps } from './select.tsx'
import { Sparkline } from './sparkline.tsx'
import { CalendarDate, Time } from './time.tsx'

describe('a field', () => {
  it('ties its control to label, hint and error', () => {
    const html = renderFragment(<Field name="born" label="Born" hint="Year first." error="Too late." required />)
    expect(html).toContain('<label for="field-born">Born</label>')
    expect(html).toMatch(/<input id="field-born"[^>]* required[^>]* aria-invalid="true"/)
    expect(html).toContain('aria-describedby="field-born-hint field-born-error"')
    expect(html).toContain('<p class="error" id="field-born-error">Too late.</p>')
  })

  it('names nothing that is not there', () => {
    const html = renderFragment(<Field name="note" label="Note" />)
    expect(html).not.toMatch(/aria-|required/)
    expect(html).toContain('(optional)')
  })
})

describe('a list of choices', () => {
  const options = [
    { value: 'hill', label: 'Hill Hospital' },
    { value: 'lake', label: 'Lakeside Clinic' },
  ]
  const shown = (changes: Partial<SelectProps>) =>
    renderFragment(<Select name="to" label="To" options={options} {...changes} />)

  it.each(['', undefined, 'gone'])('of which one is required begins with none while nothing is chosen: %j', (value) => {
    expect(shown({ value, required: true })).toMatch(/<select[^>]* required[^>]*><option value>Choose…<\/option>/)
    expect(shown({ value, required: true })).not.toContain('selected')
  })

  it('stands at what is chosen, and may be left alone where nothing is required', () => {
    expect(shown({ value: 'lake', required: true })).toContain('<option value="lake" selected>')
    expect(shown({ value: 'lake', required: true })).not.toContain('Choose…')
    expect(shown({})).not.toContain('Choose…')
  })
})

describe('a time', () => {
  it('is shown in UTC with the exact instant beside it', () => {
    expect(renderFragment(<Time at="2026-03-14T11:26:53.589+02:00" />)).toBe(
      '<time class="nowrap" dir="auto" datetime="2026-03-14T09:26:53.589Z" title="2026-03-14T09:26:53.589Z"' +
        ' data-precision="minute" data-locale="en-GB">14 Mar 2026, 09:26 UTC</time>',
    )
  })

  it('that is none is shown as it came', () => {
    expect(renderFragment(<Time at="soon" />)).toBe('<span>soon</span>')
  })

  it.each([
    ['2026-03-14', '14 Mar 2026'],
    ['2026-03', 'Mar 2026'],
    ['2026', '2026'],
    ['2026-13-45', '2026-13-45'],
    ['', ''],
  ])('of the calendar, %j, reads %j', (date, words) => {
    expect(renderFragment(<CalendarDate date={date} />)).toContain(`>${words}<`)
  })
})

describe('the pages of a list', () => {
  const page = { size: 20, totalElements: 45, totalPages: 3 }
  const hrefOf = (number: number) => `?page=${number}`

  it.each([
    [0, '1–20 of 45', ['?page=1']],
    [1, '21–40 of 45', ['?page=0', '?page=2']],
    [2, '41–45 of 45', ['?page=1']],
  ])('on page %i say %s and lead to %j', (number, range, links) => {
    const html = renderFragment(<Pagination page={{ ...page, number }} hrefOf={hrefOf} />)
    expect(html).toContain(range)
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(links)
  })

  it.each([
    [45, 3, '?page=2'],
    [3, 1, '?page=0'],
  ])('past the last one show none of %i, and lead to the last', (totalElements, totalPages, last) => {
    const html = renderFragment(
      <Pagination page={{ number: 99_999, size: 20, totalElements, totalPages }} hrefOf={hrefOf} />,
    )
    expect(html).toContain(`0 of ${totalElements}`)
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([last])
  })

  it('say nothing when there is only one', () => {
    const one = { number: 0, size: 20, totalElements: 3, totalPages: 1 }
    expect(renderFragment(<Pagination page={one} hrefOf={hrefOf} />)).toBe('')
  })
})

describe('a problem', () => {
  const now = new Date('2026-03-14T09:26:53Z')

  it.each(faultKinds)('of the kind %s says what happened, what to do and which request it was', (kind) => {
    const problem = problemOf(new Fault(kind, 'The exact sentence.'), now)
    const html = renderFragment(<ProblemNotice problem={problem} requestId="request-7" />)
    expect(html).toMatch(/<h1>[A-Z][^<]{8,}<\/h1>/)
    expect(html).toContain(`${answers[kind].httpStatus} ${answers[kind].title}`)
    expect(html).toContain('request-7')
    expect(html.includes('The exact sentence.')).toBe(kind !== 'bug')
  })

  it('speaks of the same thing under a finer status', () => {
    const problem = problemOf(new Fault('unavailable', 'No answer.', { code: 'BAD_GATEWAY' }), now)
    expect(renderFragment(<ProblemNotice problem={problem} />)).toContain('A part of the system does not answer')
  })

  it('names every wrong field once', () => {
    const fields = [{ path: '/a', message: 'is wrong' }]
    const problem = problemOf(new Fault('incorrect', 'One field is wrong.', { fields }), now)
    const html = renderFragment(<ProblemNotice problem={problem} />)
    expect(html.match(/is wrong(?!\.)/g)).toHaveLength(1)
    expect(html).toContain('One field is wrong.')
  })
})

it('a name keeps its own direction', () => {
  expect(renderFragment(<PersonName name="שרה לוי" />)).toBe('<bdi class="name">שרה לוי</bdi>')
})

it.each([
  [[5, 5, 5], 3],
  [[1], 1],
  [[-3, 0, 1e9], 3],
])('a sparkline of %j has a point for each value, all inside its frame', (values, count) => {
  const html = renderFragment(<Sparkline text="Rate" values={values} />)
  const points = /polyline points="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? []
  expect(points).toHaveLength(count)
  for (const point of points) {
    const [x = -1, y = -1] = point.split(',').map(Number)
    expect(x >= 0 && x <= 120 && y >= 0 && y <= 32).toBe(true)
  }
})

it('a sparkline of nothing is its words', () => {
  expect(renderFragment(<Sparkline text="No messages yet" values={[]} />)).toContain('No messages yet')
})

it('bars are shares of the longest, and none is negative', () => {
  const bars = [
    { label: 'a', value: 4 },
    { label: 'b', value: 1 },
    { label: 'c', value: -2 },
  ]
  const html = renderFragment(<BarChart label="Bars" bars={bars} />)
  expect([...html.matchAll(/class="bar" width="([^"]+)"/g)].map(([, width]) => width)).toEqual(['100%', '25%', '0%'])
})

it('progress without an end says that work goes on', () => {
  expect(renderFragment(<Progress label="Counting" />)).toMatch(
    /Working….*<progress aria-label="Counting"><\/progress>/,
  )
})

it('a button that opens a dialog sends no form', () => {
  expect(renderFragment(<Button opens="reject">Reject</Button>)).toContain('type="button" data-opens="reject"')
})
