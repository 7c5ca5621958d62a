import { expect, test } from 'bun:test'
import { join } from 'node:path'

const STEP = join(import.meta.dir, '../../scripts/step.ts')

/** Connects, and runs until it is ended. */
const CONNECT =
  "await Bun.connect({ hostname: '127.0.0.1', port: Number(process.env.PORT), socket: { data() {} } })"
/** Starts a process as a test starts a server, and waits for it. */
const START = `await Bun.spawn([process.execPath, '-e', process.env.CONNECT]).exited`
/** A script with a step that would never end. */
const RUN = `
  const { run } = await import(${JSON.stringify(STEP)})
  await run({ title: 'Endless', command: [process.execPath, '-e', process.env.START], env: process.env, advice: '' })
`

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends what a step of a script has started',
  async (signal) => {
    const connected = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    using listener = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data() {}, open: () => connected.resolve(), close: () => closed.resolve() },
    })
    const script = Bun.spawn([process.execPath, '-e', RUN], {
      env: { ...process.env, PORT: String(listener.port), CONNECT, START },
      stdout: 'ignore',
      // As a terminal does not pass its signals on to it.
      detached: true,
    })
    await connected.promise
    script.kill(signal)
    await closed.promise
    expect(await script.exited).not.toBe(0)
  },
)

test('of a step that fails, as many of the last lines are shown as it asks for', async () => {
  const print = "for (let i = 1; i <= 200; i++) console.log('line ' + i + '.'); process.exit(1)"
  const script = `
    const { run } = await import(${JSON.stringify(STEP)})
    await run({ title: 'Fails', command: [process.execPath, '-e', ${JSON.stringify(print)}], advice: '', tailLines: 150 })
  `
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  const shown = await new Response(child.stdout).text()
  expect(shown).toContain('line 51.')
  expect(shown).not.toContain('line 50.')
})
