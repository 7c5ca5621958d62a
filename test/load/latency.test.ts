import type { Plan } from './measure.ts'
import { type ShortScenario, testShortForm } from './short-form.ts'

/** `bun run verify` runs them by themselves: a p99 that other tests decide says nothing about the server. */
const SHORT_FORM: readonly ShortScenario[] = [
  { scenario: 'verification', bounds: ['p99', 'rejected', 'memory', 'load'] },
  { scenario: 'streams', bounds: ['p99', 'rejected', 'memory', 'load'] },
  { scenario: 'slow-bodies', bounds: ['p99', 'rejected', 'memory', 'load'] },
  { scenario: 'idle-connections', bounds: ['p99', 'rejected', 'memory', 'load'] },
  { scenario: 'followers', bounds: ['wake-up', 'rejected', 'memory', 'connections', 'load'] },
]

const PLAN: Plan = { warmUpSeconds: 1, idleSeconds: 2, startSeconds: 1, loadSeconds: 2 }

testShortForm(SHORT_FORM, PLAN)
