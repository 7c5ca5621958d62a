import { expect } from 'bun:test'
import type { Answer, Instance } from './instance.ts'
import { stored } from './stored.ts'

/** Shows that a call was refused and nothing was changed. @returns the status, and what the body says */
export async function refusedIn(instance: Instance, step: () => Promise<Answer>) {
  const before = await stored(instance)
  const { status, body } = await step()
  expect(await stored(instance)).toEqual(before)
  return { status, ...body }
}
