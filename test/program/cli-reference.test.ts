import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderCliReference } from '@reeve/api/command-line/markdown'
import { registry } from '@reeve/api/commands/registry'
import { ROOT } from '../support/program.ts'

const page = await Bun.file(join(ROOT, 'docs/cli.md')).text()

test('docs/cli.md is the reference of the current commands; `bun run docs:reference` writes it', async () => {
  expect(page).toBe(await renderCliReference())
})

test('docs/cli.md has a section for every command, and every link leads somewhere', async () => {
  for (const { name } of registry) expect(page).toMatch(RegExp(`^##+ reeve ${name}$`, 'm'))
  for (const [, file = '', anchor = ''] of page.matchAll(/\]\(([\w.-]+)#([\w-]+)\)/g)) {
    const target = await Bun.file(join(ROOT, 'docs', file)).text()
    expect(target.toLowerCase().replaceAll(' ', '-')).toContain(`\n##-${anchor}\n`)
  }
})
