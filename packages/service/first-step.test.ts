import { expect, it } from 'vitest'
import { stepsIn } from './first-step.ts'

const steps = [
  { title: 'Sign in', text: 'The portal.', href: '/portal', inDemo: { text: 'The portal; user clinician.' } },
  { title: 'Look', text: 'The keys.', command: 'curl /jwks' },
]

it('a step is told with the accounts of the demo there, and without them elsewhere', () => {
  expect(stepsIn('demo', steps)).toEqual([
    { title: 'Sign in', text: 'The portal; user clinician.', href: '/portal' },
    { title: 'Look', text: 'The keys.', command: 'curl /jwks' },
  ])
  expect(stepsIn('production', steps)).toEqual([
    { title: 'Sign in', text: 'The portal.', href: '/portal' },
    { title: 'Look', text: 'The keys.', command: 'curl /jwks' },
  ])
})
