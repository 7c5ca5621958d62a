import { expect } from 'bun:test'
import type { Instance, TestResponse } from './instance.ts'
import { readStoredRows } from './stored-rows.ts'

/** Shows that a call was refused and nothing was changed. @returns the status, and what the body says */
export async function expectRejectedUnchanged(instance: Instance, sendRequest: () => Promise<TestResponse>) {
  const before = await readStoredRows(instance)
  const { status, body } = await sendRequest()
  expect(await readStoredRows(instance)).toEqual(before)
  return { status, ...body }
}
