import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeFailedTests } from '../../scripts/tests.ts'

const FILES = {
  'a.test.ts': `
    import { expect, test } from 'bun:test'
    test('counts', () => expect(6 * 7).toBe(43))
    test('adds', () => expect(1 + 1).toBe(2))
    test('throws', () => { throw Error('the lamp is out') })`,
  'b.test.ts': `
    import { expect, test } from 'bun:test'
    test('prints', () => { for (let i = 0; i < 200; i++) console.log('a line of a test that passes') })`,
}

/** Runs tests as `bun run verify` does. */
async function runTests(folder: string): Promise<string> {
  const command = [process.execPath, 'test', '--only-failures', '--parallel=2', '--no-isolate']
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  return (await Promise.all(streams)).join('')
}

test('of a failed run, the errors of all failed tests are shown, whatever other tests print after them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-test-'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const shown = describeFailedTests(await runTests(folder))
  rmSync(folder, { recursive: true })
  for (const text of ['a.test.ts:', 'Expected: 43', '(fail) counts', 'the lamp is out', '(fail) throws'])
    expect(shown).toContain(text)
  expect(shown).not.toContain('a test that passes')
})

test('of a run that aborts, the last lines are shown', () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`)
  const shown = describeFailedTests(lines.join('\n'))
  expect(shown).toEndWith('line 199')
  expect(shown).not.toContain('line 20\n')
})
