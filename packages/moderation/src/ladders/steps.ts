import {
  isSanctionKind,
  type LadderStep,
  MAX_LADDER_DAYS,
  MAX_LADDER_STEPS,
  MAX_STEP_COUNT,
  recordActions,
  wire,
} from '@reeve/core'

const fail = (message: string): never => {
  throw new wire.WireError(message)
}

const action = wire.oneOf(recordActions)
const count = wire.integer({ min: 1, max: MAX_STEP_COUNT })
const decayDays = wire.integer({ min: 1, max: MAX_LADDER_DAYS })

const STEP_FIELDS: ReadonlySet<string> = new Set(['count', 'action', 'durationSeconds', 'decayDays'])

/** The JSON array of the steps of a ladder ↔ its steps. */
export const ladderSteps: wire.Codec<readonly LadderStep[]> = {
  read(text) {
    const steps = parseArray(text).map(readStep)
    if (steps.length === 0 || steps.length > MAX_LADDER_STEPS)
      fail(`must have 1 to ${MAX_LADDER_STEPS} steps`)
    if (steps[0]?.count !== 1) fail('must begin with a step whose count is 1')
    steps.forEach((step, index) => {
      if (step.count <= (steps[index - 1]?.count ?? 0))
        fail(`must be sorted by count: that of step ${index + 1} is not higher than the one before it`)
    })
    return steps
  },
  write: (steps) => JSON.stringify(steps.map(presentStep)),
  description: `JSON array of 1 to ${MAX_LADDER_STEPS} steps, as a string: \`count\` (the first number of records to which it applies, 1 to ${MAX_STEP_COUNT}; the first step has 1), \`action\` (${action.description.replace('One of ', '')}), \`durationSeconds\` of a ban or mute (null is permanent), and \`decayDays\` (how many days its record counts, if fewer than the window has)`,
  example:
    '[{"count":"1","action":"warn","decayDays":"30"},{"count":"2","action":"mute","durationSeconds":"3600"},{"count":"3","action":"ban","durationSeconds":null}]',
}

function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // Said below.
  }
  return fail('must be a JSON array of steps, as a string')
}

/** Reads one step. Its fields are strings or numbers. */
function readStep(value: unknown, index: number): LadderStep {
  const failStep = (message: string): never => fail(`step ${index + 1}: ${message}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failStep('must be an object')
  const fields = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(fields).find((name) => !STEP_FIELDS.has(name))
  if (unknown !== undefined) failStep(`${unknown.slice(0, 64)} is not a field of a step`)
  function readField<T>(name: string, codec: Pick<wire.Codec<T>, 'read'>, absent: T | undefined): T {
    const raw = fields[name]
    if (raw === undefined || raw === null)
      return absent === undefined ? failStep(`${name} is required`) : absent
    if (typeof raw !== 'string' && typeof raw !== 'number') return failStep(`${name} must be a string`)
    try {
      return codec.read(String(raw))
    } catch (error) {
      if (error instanceof wire.WireError) return failStep(`${name} ${error.message}`)
      throw error
    }
  }
  const step: LadderStep = {
    count: readField('count', count, undefined),
    action: readField('action', action, undefined),
    durationSeconds: readField('durationSeconds', wire.duration, null),
    decayDays: readField<number | null>('decayDays', decayDays, null),
  }
  if (!isSanctionKind(step.action) && step.durationSeconds !== null)
    failStep(`durationSeconds is only for ban and mute, not for ${step.action}`)
  return step
}

/** A step as responses have it. */
export const presentStep = (step: LadderStep) => ({
  count: String(step.count),
  action: step.action as string,
  durationSeconds: step.durationSeconds === null ? null : String(step.durationSeconds),
  decayDays: step.decayDays === null ? null : String(step.decayDays),
})
