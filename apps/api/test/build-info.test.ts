import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBuildInfo } from '../build-info.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reeve-build-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const git = async (...args: string[]) => {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
  const child = Bun.spawn(['git', ...identity, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' },
    stdout: 'pipe',
  })
  expect(await child.exited).toBe(0)
  return (await new Response(child.stdout).text()).trim()
}

test('a build has the hash and the time of its commit, whenever it runs', async () => {
  expect(readBuildInfo(folder, {})).toEqual({ commit: 'unknown', time: 'unknown' })
  await git('init', '--quiet')
  writeFileSync(join(folder, 'file'), 'one')
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'first')
  const commit = await git('rev-parse', 'HEAD')
  expect(readBuildInfo(folder, {})).toEqual({ commit, time: '2026-01-02T03:04:05Z' })
  writeFileSync(join(folder, 'file'), 'two')
  expect(readBuildInfo(folder, {}).commit).toBe(`${commit}-dirty`)
})

test('SOURCE_DATE_EPOCH replaces the time of the commit', () => {
  expect(readBuildInfo(folder, { SOURCE_DATE_EPOCH: '1767225600' }).time).toBe('2026-01-01T00:00:00Z')
  expect(() => readBuildInfo(folder, { SOURCE_DATE_EPOCH: 'yesterday' })).toThrow(
    'SOURCE_DATE_EPOCH must be a number of seconds since 1970',
  )
})
