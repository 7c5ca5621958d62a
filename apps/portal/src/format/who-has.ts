import { bidiIsolate } from './player-name.ts'

/** Begins a sentence about what somebody has done: `You have` or `robin has`. @param isUser whether it was the user */
export const formatWhoHas = (name: string | undefined, isUser: boolean): string =>
  isUser ? 'You have' : `${bidiIsolate(name ?? 'Somebody')} has`
