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

/** The JSON array of the steps of a ladder ↔ its steps. */
export const ladderSteps: wire.Codec<readonly LadderStep[]> = {
  read(text) {
    const steps = wire.readObjectList(text, {
      item: 'step',
      fields: ['count', 'action', 'durationSeconds', 'decayDays'],
      readObject(readField, failStep): LadderStep {
        const step: LadderStep = {
          count: readField('count', count),
          action: readField('action', action),
          durationSeconds: readField('durationSeconds', wire.duration, null),
          decayDays: readField<number | null>('decayDays', decayDays, null),
        }
        if (!isSanctionKind(step.action) && step.durationSeconds !== null)
          failStep(`durationSeconds is only for ban and mute, not for ${step.action}`)
        return step
      },
    })
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

/** A step as responses have it. */
export const presentStep = (step: LadderStep) => ({
  count: String(step.count),
  action: step.action as string,
  durationSeconds: step.durationSeconds === null ? null : String(step.durationSeconds),
  decayDays: step.decayDays === null ? null : String(step.decayDays),
})
