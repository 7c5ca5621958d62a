import { expect, test } from 'bun:test'
import { AppError } from '../src/error.ts'
import { createFailureCollector, MAX_UNAVAILABLE_IN_A_ROW } from '../src/failures.ts'

const fail = async () => {
  throw new AppError('unavailable')
}

test('attempts continue until the storage was not available several times in a row', async () => {
  const { attempt } = createFailureCollector()
  for (let count = 0; count < 3; count++) {
    for (let failed = 1; failed < MAX_UNAVAILABLE_IN_A_ROW; failed++)
      expect(await attempt(fail, `workspace ${count}`)).toBe(false)
    expect(await attempt(async () => {})).toBe(true)
  }
  for (let failed = 1; failed < MAX_UNAVAILABLE_IN_A_ROW; failed++) await attempt(fail)
  await expect(attempt(fail)).rejects.toMatchObject({ code: 'unavailable', message: 'workspace 0 failed' })
})
