import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, serve } from '../support/program.ts'

const root = join(import.meta.dir, '../..')
const page = await Bun.file(join(root, 'docs/first-hour.md')).text()

interface Step {
  readonly heading: string
  readonly command: string
  /** What the page says the command answers; null where it says nothing. */
  readonly answer: unknown
}

/** The page's commands in their order, each with the answer that follows it. */
function stepsOf(text: string): Step[] {
  const steps: Step[] = []
  let heading = ''
  for (const [, title, language, code] of text.matchAll(/^## (.+)$|^```(sh|json)\n([\s\S]*?)^```$/gm)) {
    if (title) heading = title
    else if (language === 'sh') steps.push({ heading, command: code as string, answer: null })
    else {
      const asked = steps.pop() as Step
      steps.push({ ...asked, answer: JSON.parse(code as string) })
    }
  }
  return steps
}

/** Whether an answer holds all that the page shows; `…` stands for anything. */
function holds(answer: unknown, wanted: unknown): boolean {
  if (wanted === '…') return answer !== undefined
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(answer) &&
      answer.length === wanted.length &&
      wanted.every((one, i) => holds(answer[i], one))
    )
  }
  if (typeof wanted !== 'object' || wanted === null) return answer === wanted
  if (typeof answer !== 'object' || answer === null) return false
  return Object.entries(wanted).every(([name, value]) => holds(Reflect.get(answer, name), value))
}

let folder: string
let running: Running

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reeve-first-hour-'))
  symlinkSync(join(root, 'dist'), join(folder, 'dist'))
  running = await serve({ dataDir: join(folder, 'data') })
})

afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('every command of the first hour does what the page says', async () => {
  const steps = stepsOf(page)
  expect(steps.length).toBeGreaterThan(12)
  const mark = '--8<--'
  const script = steps.map(({ command }) => `${command}\necho; echo '${mark}'`).join('\n')
  const shell = Bun.spawn(
    ['bash', '-eu', '-o', 'pipefail', '-c', script.replace('http://127.0.0.1:3000', running.url)],
    {
      cwd: folder,
      env: { ...process.env, REEVE_DATA_DIR: join(folder, 'data') },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [output, complaints] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ])
  expect(complaints).toBe('')
  expect(await shell.exited).toBe(0)
  const outputs = output.split(`${mark}\n`)
  for (const [index, { heading, command, answer }] of steps.entries()) {
    if (answer === null) continue
    // A step may run several commands; the answer shown is the last one's.
    const last = (outputs[index] as string).trim().split('\n').at(-1) as string
    const lastJson = last.slice(last.lastIndexOf('}{') + 1)
    const given: unknown = JSON.parse(lastJson)
    if (!holds(given, answer))
      expect({ heading, command, given }).toEqual({ heading, command, given: answer })
  }
}, 60_000)
