import { AppError, type RoleLimits } from '@reeve/core'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A duration for people, in the largest unit that divides it. */
export function formatDuration(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

interface Excess {
  readonly limits: RoleLimits
  readonly name: keyof RoleLimits
  readonly message: string
  /** When the action is possible again, in epoch milliseconds. */
  readonly resetsAt?: number
  readonly reason?: 'over_limit' | 'needs_approval'
}

/** A 403 for an action that exceeds a limit of the actor's roles. */
export const createLimitError = ({ limits, name, message, resetsAt, reason = 'over_limit' }: Excess) =>
  new AppError('forbidden', {
    reason,
    message,
    limit: { name, value: String(limits[name]), resetsAt: resetsAt ?? null },
  })
