import {
  DAY_SECONDS,
  HOUR_SECONDS,
  isSanctionKind,
  type LadderStep,
  MINUTE_SECONDS,
  type RecordAction,
} from '@reeve/core'

export const durationUnits = {
  seconds: 1,
  minutes: MINUTE_SECONDS,
  hours: HOUR_SECONDS,
  days: DAY_SECONDS,
} as const

/** A unit of a duration, or that it has no end. */
export type DurationUnit = keyof typeof durationUnits | 'permanent'

/** A step as entered in the form. */
export interface StepDraft {
  /** Tells steps apart while they are edited. */
  readonly key: number
  readonly count: string
  readonly action: RecordAction
  readonly amount: string
  readonly unit: DurationUnit
  readonly decayDays: string
}

/** The largest unit of which a duration is a whole number. */
function splitDuration(seconds: number | null): Pick<StepDraft, 'amount' | 'unit'> {
  if (seconds === null) return { amount: '', unit: 'permanent' }
  const units = Object.entries(durationUnits).reverse() as [keyof typeof durationUnits, number][]
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? (['seconds', 1] as const)
  return { amount: String(seconds / size), unit }
}

export const toDrafts = (steps: readonly LadderStep[]): StepDraft[] =>
  steps.map((step, key) => ({
    key,
    count: String(step.count),
    action: step.action,
    ...splitDuration(step.durationSeconds),
    decayDays: step.decayDays === null ? '' : String(step.decayDays),
  }))

/** The steps as one field of the form. */
export const writeDrafts = (drafts: readonly StepDraft[]): string => JSON.stringify(drafts)
export const readDrafts = (text: string): readonly StepDraft[] => JSON.parse(text)

/** The step that follows in the form: a longer ban. */
export const createDraft = (drafts: readonly StepDraft[]): StepDraft => ({
  key: Math.max(-1, ...drafts.map(({ key }) => key)) + 1,
  count: String(Math.max(0, ...drafts.map(({ count }) => Number(count) || 0)) + 1),
  action: drafts.length === 0 ? 'warn' : 'ban',
  amount: '1',
  unit: 'days',
  decayDays: '',
})

/** The steps as the form has them, sorted by count. What is no number is NaN. */
export const toSteps = (drafts: readonly StepDraft[]): LadderStep[] =>
  drafts
    .map(({ count, action, amount, unit, decayDays }) => ({
      count: readNumber(count),
      action,
      durationSeconds:
        isSanctionKind(action) && unit !== 'permanent' ? readNumber(amount) * durationUnits[unit] : null,
      decayDays: decayDays.trim() === '' ? null : readNumber(decayDays),
    }))
    .sort((one, other) => one.count - other.count)

const readNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

/** The JSON that the API reads. What is no number stays a text, which the API rejects with the step that it is in. */
export const toStepsJson = (steps: readonly LadderStep[]): string =>
  JSON.stringify(steps, (_, value) => (Number.isNaN(value) ? '?' : value))

/** Whether every number is one, so that the ladder can be simulated. */
export const areComplete = (steps: readonly LadderStep[]): boolean =>
  steps[0]?.count === 1 &&
  steps.every(({ count, durationSeconds, decayDays }) =>
    [count, durationSeconds ?? 1, decayDays ?? 1].every((number) => number > 0),
  )
