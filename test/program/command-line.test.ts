import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { PASSWORD } from '../support/instance.ts'
import { PROGRAM, runReeve, SOURCE } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

const COMMANDS = [
  'serve',
  'init',
  'migrate',
  'openapi',
  'doctor',
  'health',
  'config check',
  'backup',
  'backup list',
  'backup verify',
  'backup create-key',
  'restore',
  'move',
  'secret-key replace',
  'secret-key rotate',
  'audit verify',
  'audit export',
  'user create',
  'user list',
  'user link',
  'user reset-mfa',
  'user disable',
  'user enable',
  'user operator',
  'user sessions',
  'user delete',
  'key create',
  'key list',
  'key revoke',
  'workspace list',
  'workspace delete',
  'workspace undelete',
  'report list',
  'report resolve',
  'quota show',
  'quota set',
  'control list',
  'control set',
  'player erase',
  'webhook list',
  'webhook test',
  'webhook resend',
  'job list',
  'job show',
  'job watch',
  'job cancel',
  'import',
  'import list',
  'import cancel',
  'export',
  'completion bash',
  'completion zsh',
  'completion fish',
]

describe('the command line', () => {
  let folder: TemporaryFolder
  beforeAll(() => {
    folder = temporaryFolder()
  })
  afterAll(() => folder.remove())
  const run = (args: string[], stdin?: string) => runInFolder(folder, args, stdin)

  for (const command of COMMANDS) {
    test(`\`${command} --help\` shows usage and --json`, async () => {
      const { exitCode, out, err } = await run([...command.split(' '), '--help'])
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
      expect(out).toStartWith(`Usage: reeve ${command} [options]`)
      expect(out).toContain('--json')
      expect((await run(['help', ...command.split(' ')])).out).toBe(out)
    })
  }

  test('--help lists every command', async () => {
    const { out } = await run(['--help'])
    for (const command of COMMANDS) expect(out).toContain(`\n  ${command.split(' ')[0]} `)
  })

  test('--version prints the version that the changelog describes first, and that it runs from source', async () => {
    const changelog = await Bun.file(new URL('../../CHANGELOG.md', import.meta.url)).text()
    const [, newest] = /^## (\S+)/m.exec(changelog) ?? []
    const { out } = await runReeve(['--version'], { dataDir: folder.data, program: SOURCE })
    expect(out).toBe(`${newest} (from source)\n`)
  })

  test('an unknown command or option exits with status 2 and suggests the correct one', async () => {
    const wrong: [string[], string][] = [
      [['sevre'], 'Did you mean serve?'],
      [['user', 'crate'], 'Did you mean create?'],
      [['user', 'list', '--jsno'], 'Did you mean --json?'],
      [['user', 'list', 'all'], 'Too many arguments'],
      [['user'], 'Usage: reeve user'],
      [[], 'Usage: reeve'],
      [['key', 'list'], '--workspace is required.'],
      [['quota', 'set', '--workspace', 'x', '--requests', 'many'], '--requests must be'],
      [['quota', 'set', '--workspace', 'x', '--storage', 'much'], '--storage must be a size'],
    ]
    for (const [args, message] of wrong) {
      const { exitCode, out, err } = await run(args)
      expect({ args, exitCode, out }).toEqual({ args, exitCode: 2, out: '' })
      expect(err).toContain(message)
    }
  })

  test('all missing options are reported together, with --json as JSON on standard error', async () => {
    const { exitCode, out, err } = await run(['control', 'set', '--mode', 'offf', '--json'])
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    const { error, code, problems } = JSON.parse(err) as { error: string; code: string; problems: string[] }
    expect(code).toBe('usage')
    expect(problems).toHaveLength(3)
    expect(problems[0]).toBe(error)
    expect(problems[2]).toContain('did you mean off?')
  })

  test('a command does not create a missing instance', async () => {
    for (const args of [['user', 'list'], ['migrate'], ['workspace', 'list']]) {
      const { exitCode, err } = await run(args)
      expect(exitCode).toBe(1)
      expect(err).toContain(`There is no instance in ${folder.data}`)
    }
    expect(existsSync(folder.data)).toBe(false)
  })

  test('a missing password is an error if standard input is not a terminal', async () => {
    const { exitCode, err } = await run([
      'init',
      ...INIT_ARGS.slice(1).filter((arg) => arg !== '--password-stdin'),
    ])
    expect(exitCode).toBe(2)
    expect(err).toContain('--password-stdin')
    expect(existsSync(folder.data)).toBe(false)
  })

  test('a password prompt shows no input and asks twice', async () => {
    const otherFolder = temporaryFolder()
    parseJsonOutput(await runReeve([...INIT_ARGS, '--json'], { dataDir: otherFolder.data, stdin: PASSWORD }))
    /** Creates a user on a terminal. Types each text when its prompt has appeared. */
    const runInTerminal = async (name: string, ...prompts: [question: string, text: string][]) => {
      let terminalOutput = ''
      const child = Bun.spawn(
        [...PROGRAM, 'user', 'create', '--username', name, '--data-dir', otherFolder.data],
        {
          env: { ...process.env, REEVE_SECRET_KEY: SECRET_KEY },
          terminal: {
            cols: 120,
            rows: 24,
            data(terminal, chunk) {
              terminalOutput += new TextDecoder().decode(chunk)
              while (prompts[0] && terminalOutput.includes(prompts[0][0]))
                terminal.write(prompts.shift()?.[1] ?? '')
            },
          },
        },
      )
      return { exitCode: await child.exited, terminalOutput }
    }
    const matchingResult = await runInTerminal(
      'a',
      ['Enter password: ', `${PASSWORD}\r`],
      ['Confirm password: ', `${PASSWORD}\r`],
    )
    const typedAheadResult = await runInTerminal('b', ['Enter password: ', `${PASSWORD}\r${PASSWORD}\r`])
    const mismatchResult = await runInTerminal(
      'c',
      ['Enter password: ', `${PASSWORD}\r`],
      ['Confirm password: ', `${PASSWORD}x\r`],
    )
    const stopped = await runInTerminal('d', ['Enter password: ', `${PASSWORD}\x03`])
    expect(
      [matchingResult, typedAheadResult, mismatchResult, stopped].map(({ exitCode }) => exitCode),
    ).toEqual([0, 0, 2, 2])
    for (const { terminalOutput } of [matchingResult, typedAheadResult, mismatchResult, stopped])
      expect(terminalOutput).not.toContain(PASSWORD)
    const { out } = await runReeve(['user', 'list'], { dataDir: otherFolder.data })
    expect(out.trimEnd().split('\n')).toHaveLength(4)
    otherFolder.remove()
  })

  test('concurrent commands on a stopped instance wait for each other', async () => {
    const otherFolder = temporaryFolder()
    parseJsonOutput(await runReeve([...INIT_ARGS, '--json'], { dataDir: otherFolder.data, stdin: PASSWORD }))
    const names = ['a', 'b', 'c', 'd']
    const results = await Promise.all(
      names.map((name) =>
        runReeve(['user', 'create', '--username', name, '--password-stdin', '--json'], {
          dataDir: otherFolder.data,
          stdin: PASSWORD,
        }),
      ),
    )
    for (const result of results) parseJsonOutput(result)
    otherFolder.remove()
  })

  test('one of two concurrent init commands succeeds', async () => {
    const otherFolder = temporaryFolder()
    const init = () => runReeve([...INIT_ARGS, '--json'], { dataDir: otherFolder.data, stdin: PASSWORD })
    const codes = (await Promise.all([init(), init()])).map(({ exitCode }) => exitCode)
    expect(codes.sort()).toEqual([0, 1])
    otherFolder.remove()
  })

  test('openapi prints the OpenAPI document', async () => {
    const { out } = await run(['openapi'])
    expect(JSON.parse(out)).toMatchObject({ info: { version: '1.0.0' } })
    const short = await run(['openapi', '--json'])
    expect(JSON.parse(short.out)).toEqual(JSON.parse(out))
  })
})

test('output that cannot be written is a failure, because a key that is shown once would be lost', async () => {
  const run = async (target: string) => {
    const child = Bun.spawn(['sh', '-c', `exec "$@" ${target}`, 'sh', ...PROGRAM, 'openapi'], {
      stdout: 'ignore',
      stderr: 'pipe',
    })
    return { err: await new Response(child.stderr).text(), exitCode: await child.exited }
  }
  expect(await run('> /dev/full')).toEqual({
    err: 'The command was carried out, but its output could not be written (ENOSPC).\n',
    exitCode: 1,
  })
  expect(await run('| true')).toMatchObject({ err: '' })
})
