import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@reeve/api/version'
import { type CommandResult, ROOT, readResult } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The packed package, which `bun run build` creates. */
export const TARBALL = join(ROOT, `dist/reeve-client-${VERSION}.tgz`)

/** Runs a command in a folder. @throws Error with its output if it fails */
export async function runIn(
  cwd: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const result = await readResult(child)
  if (result.exitCode !== 0) throw new Error(`${command.join(' ')}\n${result.out}${result.err}`)
  return result
}

/**
 * Creates a plain project and installs the package into it with npm. Nothing is downloaded: its dependencies are packed from those of
 * this workspace.
 * @param specifier of the package, such as the path of the tarball or its URL
 */
export async function createProject(specifier = TARBALL) {
  const folder = temporaryFolder()
  const project = join(folder.path, 'bot')
  const cache = join(folder.path, 'cache')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"bot","private":true,"type":"module"}')
  const openapiFetch = realpathSync(join(ROOT, 'packages/client/node_modules/openapi-fetch'))
  const dependencies = [openapiFetch, realpathSync(join(openapiFetch, '../openapi-typescript-helpers'))]
  // A registry that nobody serves: npm fails if it needs one.
  const offline = ['--registry', 'http://127.0.0.1:1', '--fetch-retries', '0', '--cache', cache]
  const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts']
  await runIn(folder.path, ['npm', 'pack', ...quiet, ...offline, ...dependencies])
  const packed = [...new Bun.Glob('*.tgz').scanSync(folder.path)].map((name) => join(folder.path, name))
  await runIn(project, ['npm', 'install', ...quiet, ...offline, ...packed, specifier])

  return {
    path: project,
    installed: join(project, 'node_modules/@reeve/client'),
    /** Copies a file of `consumer/` into the project. */
    addFile(name: string): void {
      writeFileSync(join(project, name), readFileSync(join(import.meta.dir, 'consumer', name)))
    },
    write: (name: string, text: string) => writeFileSync(join(project, name), text),
    run: (command: readonly string[], env?: Readonly<Record<string, string>>) => runIn(project, command, env),
    remove: folder.remove,
  }
}

export type Project = Awaited<ReturnType<typeof createProject>>
