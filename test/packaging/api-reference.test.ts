import { expect, it } from 'vitest'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { apiReference } from './api-reference.ts'

// After a route was added or changed: npm run docs
it('the list of operations in the documentation is that of the routes', async () => {
  await using corridor = await testCorridor()
  const text = apiReference((service) => corridor.routes(service))
  await expect(text).toMatchFileSnapshot('../../docs/api-reference.md')
})
