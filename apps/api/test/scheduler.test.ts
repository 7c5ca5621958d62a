import { expect, test } from 'bun:test'
import { type Job, LoggedJobFailure, type SchedulerOptions, startScheduler } from '../src/jobs/scheduler.ts'

/** Timers that fire only when the test advances the clock. */
class FakeTimers {
  #now = 0
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>()

  readonly startTimer = (callback: () => void, delayMs: number) => {
    const timer = { at: this.#now + delayMs, callback }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  get pending(): number {
    return this.#timers.size
  }

  /** Fires the timers of the time that passes, in order, and lets the runs that settle at once schedule their next timer. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#now = next.at
      this.#timers.delete(next)
      next.callback()
      await settle()
    }
    this.#now = end
  }
}

/** Runs every promise callback that is already due. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

function start(jobs: readonly Job[], options: Partial<SchedulerOptions> = {}) {
  const timers = new FakeTimers()
  const failures: [job: string, error: unknown][] = []
  const scheduler = startScheduler(jobs, {
    claim: async () => true,
    onFailure: (job, error) => failures.push([job.name, error]),
    startTimer: timers.startTimer,
    ...options,
  })
  return { timers, failures, scheduler }
}

const eachProcess = (run: Job['run'], intervalMs = 1000): Job => ({
  name: 'job',
  intervalMs,
  runsOn: 'each',
  run,
})

test('a job runs at every interval, and not before the first one', async () => {
  let runs = 0
  const { timers } = start([
    eachProcess(async () => {
      runs += 1
    }),
  ])
  await timers.advance(999)
  expect(runs).toBe(0)
  await timers.advance(1)
  expect(runs).toBe(1)
  await timers.advance(3000)
  expect(runs).toBe(4)
})

test('a job that starts at once runs at startup, and then at every interval', async () => {
  let runs = 0
  const run = async () => {
    runs += 1
  }
  const { timers } = start([{ ...eachProcess(run), startsAtOnce: true }])
  await timers.advance(0)
  expect(runs).toBe(1)
  await timers.advance(999)
  expect(runs).toBe(1)
  await timers.advance(1)
  expect(runs).toBe(2)
})

test('a run that takes longer than the interval never overlaps with the next one', async () => {
  const run = Promise.withResolvers<void>()
  let runs = 0
  const { timers } = start([
    eachProcess(() => {
      runs += 1
      return run.promise
    }),
  ])
  await timers.advance(10_000)
  expect(runs).toBe(1)
  run.resolve()
  await settle()
  await timers.advance(1000)
  expect(runs).toBe(2)
})

test('a slow job does not delay another one', async () => {
  let runs = 0
  const { timers } = start([
    eachProcess(() => new Promise(() => {})),
    eachProcess(async () => {
      runs += 1
    }),
  ])
  await timers.advance(3000)
  expect(runs).toBe(3)
})

test('a failure is reported with its job, and the job runs again after the interval', async () => {
  let runs = 0
  const { timers, failures } = start([
    eachProcess(async () => {
      runs += 1
      throw new Error(`run ${runs}`)
    }),
  ])
  await timers.advance(2000)
  expect(failures).toEqual([
    ['job', new Error('run 1')],
    ['job', new Error('run 2')],
  ])
})

test('a job of one process runs only when its claim succeeds, and a failed claim is reported', async () => {
  const claims = [async () => false, () => Promise.reject(new Error('no connection')), async () => true]
  let runs = 0
  const run = async () => {
    runs += 1
  }
  const { timers, failures } = start([{ ...eachProcess(run), runsOn: 'one' }], {
    claim: () => claims.shift()?.() ?? Promise.resolve(false),
  })
  await timers.advance(2000)
  expect([runs, failures]).toEqual([0, [['job', new Error('no connection')]]])
  await timers.advance(2000)
  expect(runs).toBe(1)
})

test('an hourly job of one process is claimed every five minutes, so that it survives the process that ran it last', async () => {
  let claims = 0
  const { timers } = start([{ ...eachProcess(async () => {}, 3_600_000), runsOn: 'one' }], {
    claim: async () => {
      claims += 1
      return false
    },
  })
  await timers.advance(3_600_000)
  expect(claims).toBe(12)
})

test('a job can choose the delay before each of its runs', async () => {
  const delays = [0, 50, 500]
  let runs = 0
  const run = async () => {
    runs += 1
  }
  const { timers } = start([{ ...eachProcess(run), getDelayMs: () => delays[runs] ?? 1000 }])
  await timers.advance(0)
  expect(runs).toBe(1)
  await timers.advance(50)
  expect(runs).toBe(2)
  await timers.advance(499)
  expect(runs).toBe(2)
})

test('stopping aborts the signal of a run in progress, waits for it, and starts no other', async () => {
  const run = Promise.withResolvers<void>()
  let signal: AbortSignal | undefined
  const { timers, scheduler } = start([
    eachProcess((runSignal) => {
      signal = runSignal
      return run.promise
    }),
    eachProcess(async () => {}, 5000),
  ])
  await timers.advance(1000)
  let isStopped = false
  const stopped = scheduler.stop().then(() => {
    isStopped = true
  })
  await settle()
  expect([signal?.aborted, isStopped]).toEqual([true, false])
  run.resolve()
  await stopped
  expect(timers.pending).toBe(0)
})

test('stopping waits for a run that fails, whose error is reported', async () => {
  const run = Promise.withResolvers<void>()
  const { timers, failures, scheduler } = start([eachProcess(() => run.promise)])
  await timers.advance(1000)
  const stopped = scheduler.stop()
  run.reject(new Error('too late'))
  await stopped
  expect(failures).toEqual([['job', new Error('too late')]])
})

test('the result of every run is reported, and a failure that is already logged is not reported again', async () => {
  const results: string[] = []
  const outcomes = [null, new Error('a'), new LoggedJobFailure(), null]
  const { timers, failures } = start(
    [
      eachProcess(async () => {
        const error = outcomes.shift()
        if (error) throw error
      }),
    ],
    { onEnd: (_, result) => results.push(result) },
  )
  await timers.advance(4000)
  expect(results).toEqual(['succeeded', 'failed', 'failed', 'succeeded'])
  expect(failures).toEqual([['job', expect.objectContaining({ message: 'a' })]])
})

test('a run that is not due has no result', async () => {
  const results: string[] = []
  const job: Job = { name: 'job', intervalMs: 1000, runsOn: 'one', run: async () => {} }
  const { timers } = start([job], { claim: async () => false, onEnd: (_, result) => results.push(result) })
  await timers.advance(3000)
  expect(results).toEqual([])
})

test('a job that runs all the time waits for its interval after a failed run', async () => {
  let runs = 0
  const { timers, failures } = start([
    {
      ...eachProcess(async () => {
        runs += 1
        throw new Error('the database is not available')
      }),
      getDelayMs: () => 0,
    },
  ])
  await timers.advance(2500)
  expect([runs, failures.length]).toEqual([3, 3])
})
