import fc from 'fast-check'

/** What happens to a workspace with a member whose roles have limits: random choices of what they and the owner do. */

const pick = fc.nat(1000)
const seconds = fc.constantFrom('60', '3600', '3601', '86400', '86401', 'permanent')
const severity = fc.constantFrom(undefined, 'low', 'medium', 'high', 'critical')
/** How the member sends a request: signed in, with an API key, or below the legacy prefix. */
const way = fc.constantFrom('session' as const, 'key' as const, 'legacy' as const)

const create = {
  action: fc.constantFrom('ban', 'mute', 'kick', 'warn', 'note'),
  player: pick,
  seconds,
  severity,
  hasEvidence: fc.boolean(),
}
const edited = fc.constantFrom(
  { durationSeconds: '3600' },
  { durationSeconds: '86400' },
  { durationSeconds: 'permanent' },
  { severity: 'low' },
  { severity: 'high' },
  { severity: 'critical' },
  { evidence: '' },
  { evidence: 'https://example.com/clip' },
)

export const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('create' as const), way, ...create }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('requestPermanent' as const), way, player: pick }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), way, pick, fields: edited }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('extend' as const),
      way,
      pick,
      value: fc.constantFrom('60', '90000', '-60'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      way,
      pick,
      action: fc.constantFrom('unban', 'unmute', 'revoke', 'evidence'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('batchOnPlayers' as const), ...create }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('batchOnRecords' as const),
      action: fc.constantFrom('edit', 'extend', 'unban', 'unmute', 'revoke', 'evidence'),
      pick,
      fields: edited,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reverse' as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      ofOwner: fc.boolean(),
      minutes: fc.constantFrom(1, 2, 3, 5, 1000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('approve' as const), way, pick, byApprover: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('appeal' as const),
      pick,
      decision: fc.constantFrom('accepted', 'reduced', 'denied'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('attach' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeFile' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(5, 61) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('ownerCreates' as const), ...create }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ownerChanges' as const),
      pick,
      action: fc.constantFrom('edit', 'unban', 'unmute', 'revoke'),
      fields: edited,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ownerDecides' as const),
      pick,
      action: fc.constantFrom('approve', 'reject'),
    }),
  },
)

export type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never
