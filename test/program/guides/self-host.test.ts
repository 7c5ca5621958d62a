import { afterAll, beforeAll, test } from 'bun:test'
import { join } from 'node:path'
import { ROOT } from '../../support/program.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { createBlockSteps } from './self-host-blocks.ts'
import { createInlineChecks } from './self-host-inline.ts'
import { executeBlocks, executeInlineCommands } from './steps.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
}, 60_000)
afterAll(() => fixture.machine.close())

test('every command of self-host.md has the effect that the guide promises', async () => {
  const guide = await Bun.file(join(ROOT, 'docs/self-host.md')).text()
  await executeBlocks(fixture.machine, guide, createBlockSteps(guide, fixture))
  await executeInlineCommands(guide, createInlineChecks(fixture))
}, 120_000)
