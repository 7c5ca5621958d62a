import { afterEach, expect, spyOn, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { hashPassword, verifyPassword } from '../src/methods/password/hash.ts'

const hash = Bun.password.hash
const verify = Bun.password.verify
const spies: { mockRestore: () => void }[] = []
afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore()
})

/** Observes how many hashes run at the same time. */
function observeHashes() {
  const observed = { running: 0, most: 0, finished: 0 }
  const track = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    observed.running += 1
    observed.most = Math.max(observed.most, observed.running)
    try {
      return await task()
    } finally {
      observed.running -= 1
      observed.finished += 1
    }
  }
  spies.push(
    spyOn(Bun.password, 'hash').mockImplementation((...args) => track(() => hash(...args))),
    spyOn(Bun.password, 'verify').mockImplementation((...args) => track(() => verify(...args))),
  )
  return observed
}

test('as many passwords are hashed at the same time as there are cores but one, for sign-ins and sign-ups together', async () => {
  const observed = observeHashes()
  const tasks = Array.from({ length: 2 * availableParallelism() + 2 }, (_, index) =>
    index % 2 === 0
      ? hashPassword('correct horse battery', index % 4 === 0 ? 'sign-up' : 'sign-in')
      : verifyPassword('correct horse battery', null),
  )
  await Promise.all(tasks)
  expect(observed.finished).toBe(tasks.length)
  expect(observed.most).toBe(Math.max(1, availableParallelism() - 1))
}, 60_000)
