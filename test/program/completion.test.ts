import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runReeve } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

interface Shell {
  readonly name: string
  readonly command: readonly string[]
  /** Runs before the script is loaded. Defines a `reeve` that prints its arguments. */
  readonly prepare: readonly string[]
}

const shells: readonly Shell[] = [
  {
    name: 'bash',
    command: ['/bin/bash', '--norc', '--noprofile', '-i'],
    prepare: [`reeve() { printf 'ARGS<%s>\\n' "$*"; }`],
  },
  {
    name: 'zsh',
    command: ['/usr/bin/zsh', '-f', '-i'],
    prepare: ['autoload -Uz compinit; compinit -u -D', `reeve() { printf 'ARGS<%s>\\n' "$*" }`],
  },
  {
    name: 'fish',
    command: ['/usr/bin/fish', '--no-config', '-i'],
    prepare: [`function reeve; printf 'ARGS<%s>\\n' "$argv"; end`],
  },
]

/** What is typed before Tab, and the arguments after it. */
const completions: readonly (readonly [typed: string, completed: string])[] = [
  ['ser', 'serve'],
  ['mig', 'migrate'],
  ['user dis', 'user disable'],
  ['user li', 'user li'],
  ['user lin', 'user link'],
  ['control li', 'control list'],
  ['completion zs', 'completion zsh'],
  ['help work', 'help workspace'],
  ['serve --po', 'serve --port'],
  ['user create --op', 'user create --operator'],
  ['user operator --username ada --gr', 'user operator --username ada --grant'],
  ['key create --name bot --expi', 'key create --name bot --expires-at'],
  ['serve --log-level deb', 'serve --log-level debug'],
  ['control set --mode read', 'control set --mode read_only'],
  ['control set --endpoint mod', 'control set --endpoint moderation'],
  ['restore --from mon', 'restore --from monday.db'],
  ['backup ver', 'backup verify'],
  ['backup --kee', 'backup --keep'],
  ['doctor --data-dir inst', 'doctor --data-dir instance-folder'],
]

for (const shell of shells) {
  describe(`the completion script for ${shell.name}`, () => {
    let folder: TemporaryFolder
    let child: Bun.Subprocess
    let output = ''
    let onOutput = () => {}

    /** Types a line, and waits for what `reeve` or a marker prints. */
    async function type(line: string, pattern = /ARGS<(?!%s)([^>]*)>/): Promise<string> {
      output = ''
      child.terminal?.write(line)
      for (;;) {
        const match = pattern.exec(output)
        if (match) return match[1] ?? ''
        await new Promise<void>((resolve) => {
          onOutput = resolve
        })
      }
    }

    beforeAll(async () => {
      folder = temporaryFolder()
      const script = join(folder.path, 'script')
      const { out, err } = await runReeve(['completion', shell.name], { dataDir: folder.data })
      expect(err).toBe('')
      writeFileSync(script, out)
      const work = join(folder.path, 'work')
      mkdirSync(join(work, 'instance-folder'), { recursive: true })
      writeFileSync(join(work, 'monday.db'), '')
      child = Bun.spawn([...shell.command], {
        cwd: work,
        env: { ...process.env, HOME: folder.path, TERM: 'xterm', XDG_CONFIG_HOME: folder.path },
        terminal: {
          cols: 200,
          rows: 50,
          data(_, chunk) {
            output += new TextDecoder().decode(chunk)
            onOutput()
          },
        },
      })
      for (const line of [...shell.prepare, `source ${script}`, `printf 'READY<%s>\\n' yes`])
        child.terminal?.write(`${line}\r`)
      await type('', /READY<(yes)>/)
    })
    afterAll(async () => {
      child.kill('SIGKILL')
      await child.exited
      folder.remove()
    })

    for (const [typed, completed] of completions) {
      test(`completes "reeve ${typed}"`, async () => {
        // zsh removes the slash after a folder when the line is accepted.
        expect((await type(`reeve ${typed}\t\r`)).replace(/\/$/, '')).toBe(completed)
      })
    }

    test('offers no files where none belong', async () => {
      expect(await type('reeve user create --username mon\t\r')).toBe('user create --username mon')
    })
  })
}
