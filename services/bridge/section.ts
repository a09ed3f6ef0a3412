import { port } from '../../packages/config/key.ts'
import { httpSection } from '../../packages/service/http-section.ts'

export const bridgeSection = {
  ...httpSection('bridge', 'integration bridge', 8443),
  mllpPort: port({ default: 2575, meaning: 'The first of the eight MLLP ports; the others follow it.' }),
}
