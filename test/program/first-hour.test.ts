import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { matchesExpected, parseBlocks } from '../support/guide.ts'
import { type RunningServer, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'

const root = join(import.meta.dir, '../..')
const page = await Bun.file(join(root, 'docs/first-hour.md')).text()

interface Step {
  readonly heading: string
  readonly command: string
  /** The output that the page shows for the command; null if it shows none. */
  readonly response: unknown
}

/** The commands of the page in order, each with the output that follows it. */
function parseSteps(text: string): Step[] {
  const steps: Step[] = []
  for (const { heading, language, code } of parseBlocks(text)) {
    if (language === 'sh') steps.push({ heading, command: code, response: null })
    else if (language === 'json') steps.push({ ...(steps.pop() as Step), response: JSON.parse(code) })
  }
  return steps
}

let folder: string
let running: RunningServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reeve-first-hour-'))
  symlinkSync(join(root, 'dist'), join(folder, 'dist'))
  running = await startServer({ dataDir: join(folder, 'data') })
})

afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('every command in first-hour.md produces the documented output', async () => {
  const steps = parseSteps(page)
  expect(steps.length).toBeGreaterThan(12)
  const OUTPUT_MARK = '--8<--'
  const script = steps.map(({ command }) => `${command}\necho; echo '${OUTPUT_MARK}'`).join('\n')
  const shell = Bun.spawn(
    ['bash', '-eu', '-o', 'pipefail', '-c', script.replace('http://127.0.0.1:3000', running.url)],
    {
      cwd: folder,
      env: { ...process.env, REEVE_DATA_DIR: join(folder, 'data'), REEVE_SECRET_KEY: SECRET_KEY },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [output, stderrText] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ])
  expect(stderrText).toBe('')
  expect(await shell.exited).toBe(0)
  const outputs = output.split(`${OUTPUT_MARK}\n`)
  for (const [index, { heading, command, response }] of steps.entries()) {
    if (response === null) continue
    // A step can run several commands; the page shows the output of the last one.
    const last = (outputs[index] as string).trim().split('\n').at(-1) as string
    const lastJson = last.slice(last.lastIndexOf('}{') + 1)
    const actualJson: unknown = JSON.parse(lastJson)
    if (!matchesExpected(actualJson, response))
      expect({ heading, command, actualJson }).toEqual({ heading, command, actualJson: response })
  }
}, 60_000)
