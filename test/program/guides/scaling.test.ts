import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBlocks } from '../../support/guide.ts'
import { BINARY, ROOT, readResult } from '../../support/program.ts'
import { GRAFANA_FOLDER } from '../../support/prometheus.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { executeInlineCommands } from './steps.ts'

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

const readGuide = (name: string): Promise<string> => Bun.file(join(ROOT, 'docs', name)).text()

/** Executes a command that exits with status 0. @returns its output */
async function run(command: string, cwd = ROOT): Promise<string> {
  const child = Bun.spawn(['bash', '-c', command], { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const { out, err, exitCode } = await readResult(child)
  expect({ command, exitCode, err: exitCode === 0 ? '' : err }).toEqual({ command, exitCode: 0, err: '' })
  return out
}

/** A command of the program that the guide names without executing it. */
async function assertCommandExists(command: string): Promise<void> {
  const help = await run(`${BINARY[0]} ${command.replace('reeve ', '')} --help`)
  expect(help).toStartWith(`Usage: ${command} `)
}

test('every command of scaling.md has the effect that the guide promises', async () => {
  const guide = await readGuide('scaling.md')
  expect(parseBlocks(guide)).toEqual([])
  await executeInlineCommands(guide, {
    async 'bun run model'(command) {
      const output = await run(command)
      const tables = guide.slice(guide.indexOf('10,000 servers')).match(/^\|.*\|$/gm) ?? []
      expect(tables.length).toBeGreaterThan(15)
      for (const row of tables) expect(output).toContain(row)
      expect(await run(`${command} --servers 20000 --players-a-day 20000000`)).toContain('20,000 servers')
    },
    // Only named. The data that it copies are in the test of self-host.md.
    'reeve move': assertCommandExists,
    // Not executed: it measures for minutes on an otherwise idle machine.
    async 'bun test/model/measure.ts'(command) {
      expect(existsSync(join(ROOT, command.replace('bun ', '')))).toBe(true)
    },
    async 'ulimit -Hn'(command) {
      expect(await run(command)).toMatch(/^(\d+|unlimited)\n$/)
      expect(readFileSync(join(ROOT, 'deploy/systemd/reeve.service'), 'utf8')).toMatch(/^LimitNOFILE=\d+$/m)
    },
  })
}, 60_000)

test('every command of monitoring.md has the effect that the guide promises', async () => {
  const guide = await readGuide('monitoring.md')
  expect(parseBlocks(guide)).toEqual([])
  await executeInlineCommands(guide, {
    async 'promtool check config prometheus.yml'(command) {
      for (const file of ['prometheus.yml', 'reeve-alerts.yaml'])
        copyFileSync(join(GRAFANA_FOLDER, file), join(folder.path, file))
      writeFileSync(join(folder.path, 'reeve-metrics-token'), 'a-token-of-some-length')
      expect(await run(command, folder.path)).toMatch(/SUCCESS: \d+ rules found/)
    },
    // Only named. What it reports of webhooks is in `program/webhooks.test.ts`.
    'reeve doctor': assertCommandExists,
  })
}, 60_000)
