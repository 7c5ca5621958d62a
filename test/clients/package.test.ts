import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ROOT } from '../support/program.ts'
import { startReeve } from './fixture.ts'
import { createProject, type Project } from './project.ts'
import { findOldestNode, RUNTIMES } from './runtimes.ts'
import { bundleWorker, runWorker } from './workers.ts'

let project: Project
beforeAll(async () => {
  project = await createProject()
  for (const name of ['bot.js', 'program.js', 'worker.js']) project.addFile(name)
  project.addFile('types.ts')
}, 60_000)
afterAll(() => project.remove())

/** What `bot.js` does. */
const DONE = {
  ban: ['261', '86400', 2],
  found: true,
  none: null,
  conflict: [true, true, 409],
  training: ['2026-03-01T18:00:00.000Z', 'true'],
  departments: ['Events', 'Moderation', 'Support'],
  afterDelete: 2,
  roles: true,
  ladder: ['mute', '3600', 'ban', null],
  acted: ['mute', 'You used an exploit.', '3600'],
  template: ['false', 0, [true]],
  links: [true],
  batch: ['2', '2', 0, '2'],
  approvals: [],
  mutes: '1',
  followed: [false, 'set', '4416', true, 'current'],
  checked: ['4416'],
  webhook: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  appeal: {
    message: true,
    before: ['true', null],
    submitted: 'submitted',
    again: true,
    replied: ['It was my brother.', 'He is sorry.'],
    withFile: ['chat.log'],
    read: 2,
    withdrawn: 'withdrawn',
    unknown: true,
  },
}

/** Runs something against a new instance whose players can send files with appeals. */
async function withReeve<Result>(run: (env: Record<string, string>) => Promise<Result>): Promise<Result> {
  const reeve = await startReeve()
  try {
    await reeve.changeInPortal('appeals/settings', { allowFiles: 'true' })
    const { url, key, workspaceId } = reeve
    return await run({ REEVE_URL: url, REEVE_KEY: key, REEVE_WORKSPACE: workspaceId })
  } finally {
    await reeve.stop()
  }
}

test.each(RUNTIMES)(
  'the installed package in %s does against a real server what its documentation says',
  async (_, runtime) => {
    const { out, err } = await withReeve((env) => project.run([...runtime, 'program.js'], env))
    expect(err).toBe('')
    expect(JSON.parse(out)).toEqual(DONE)
  },
  60_000,
)

/** The first compatibility date whose workers have all that the package needs, one without the option `cache` of `fetch`, and a recent one. */
const WORKER_DATES = ['2022-10-31', '2024-11-01', '2026-11-01']

test.each(WORKER_DATES)(
  'the installed package in a worker of %s does the same',
  async (date) => {
    await bundleWorker(project, 'worker.js')
    expect(JSON.parse(await withReeve((env) => runWorker(project, date, env)))).toEqual(DONE)
  },
  60_000,
)

const readEngines = async (): Promise<string> =>
  (await Bun.file(join(project.installed, 'package.json')).json()).engines.node

/** Runs the package in the oldest Node that its manifest accepts. */
const oldestNode = findOldestNode()
test.skipIf(oldestNode === null)(
  'the manifest asks for Node 20.3 or later, and the installed package does the same in 20.3.0',
  async () => {
    const node = String(oldestNode)
    expect((await project.run([node, '--version'])).out.trim()).toBe('v20.3.0')
    expect(await readEngines()).toBe('>=20.3')
    const { out, err } = await withReeve((env) => project.run([node, 'program.js'], env))
    expect([err, JSON.parse(out)]).toEqual(['', DONE])
  },
  60_000,
)

test('the Node of this machine, on which the other tests run, is one that the manifest accepts', async () => {
  const { out } = await project.run(['node', '--version'])
  const engines = await readEngines()
  expect({ version: out.trim(), engines, isAccepted: Bun.semver.satisfies(out.trim(), engines) }).toEqual({
    version: expect.stringMatching(/^v\d+\.\d+\.\d+$/),
    engines: '>=20.3',
    isAccepted: true,
  })
})

test.each([
  ['5.9', 'nodenext', 'nodenext', join(ROOT, 'packages/client/node_modules/typescript/bin/tsc')],
  ['7', 'preserve', 'bundler', join(ROOT, 'node_modules/typescript/bin/tsc')],
])(
  'with TypeScript %s and module %s, a project compiles, and mistakes do not',
  async (version, module, moduleResolution, compiler) => {
    const options = {
      ...{ target: 'es2022', module, moduleResolution, lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: version === '5.9' },
    }
    project.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['types.ts'] }))
    expect(await project.run([process.execPath, compiler, '--project', '.'])).toMatchObject({ out: '' })
  },
  60_000,
)

test('its modules import nothing but each other and openapi-fetch, so that they run everywhere', async () => {
  const modules = [...new Bun.Glob('dist/**/*.js').scanSync(project.installed)]
  const imports = await Promise.all(
    modules.map(async (name) => {
      const text = await Bun.file(join(project.installed, name)).text()
      return new Bun.Transpiler().scanImports(text).map(({ path }) => path)
    }),
  )
  expect(modules.length).toBeGreaterThan(10)
  expect(new Set(imports.flat().filter((path) => !path.startsWith('.')))).toEqual(new Set(['openapi-fetch']))
})
