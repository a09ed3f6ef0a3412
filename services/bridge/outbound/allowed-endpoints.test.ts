import { describe, expect, it } from 'vitest'
import { refusalOf } from './allowed-endpoints.ts'

const allowedHosts = ['pharmacy.example', 'lab.example:2575', 'registry.example:443', 'plain.example:80']
const production = { allowedHosts, allowsLoopback: false, hasSink: false }
const demo = { ...production, allowsLoopback: true, hasSink: true }

describe('an endpoint', () => {
  it.each([
    'https://pharmacy.example/fhir',
    'https://PHARMACY.example:8443/fhir',
    'mllp://pharmacy.example:2575',
    'mllps://lab.example:2575',
    'https://registry.example:443/fhir',
    'https://registry.example/fhir',
    'http://plain.example/',
  ])('%s may be called, because it is named', (endpoint) => {
    expect(refusalOf(endpoint, production)).toBeUndefined()
  })

  it.each([
    'https://pharmacy.example.evil/',
    'https://evil-pharmacy.example/',
    'https://pharmacy.example@evil/',
    'https://evil/pharmacy.example',
    'mllp://lab.example:2576',
    'http://registry.example/fhir',
    'https://registry.example:8443/fhir',
    'https://plain.example/',
    'mllp://pharmacy.example',
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data',
    'mllp://2130706433:2575',
    'http://sink.localhost/x',
    'http://pharmacy.example./',
    'no address',
  ])('%s may not, because it is not', (endpoint) => {
    expect(refusalOf(endpoint, production)).toMatch(/\w/)
  })

  it.each(['http://127.0.0.1:8080/', 'http://localhost/', 'mllp://[::1]:2575', 'mllp://sink.localhost/pharmacy'])(
    '%s may be called in a demo',
    (endpoint) => {
      expect(refusalOf(endpoint, demo)).toBeUndefined()
    },
  )

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/', 'mllp://2130706433:2575'])(
    '%s not even there',
    (endpoint) => {
      expect(refusalOf(endpoint, demo)).toMatch(/not among/)
    },
  )
})
