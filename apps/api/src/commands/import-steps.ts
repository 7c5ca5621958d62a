import { MAX_LIMIT } from '@reeve/core'
import { addImportPart, beginImport, getImport, type ImportInput, listImportIssues } from '@reeve/moderation'
import { cliActor, type Instance, instanceCommand } from '../command-line/command.ts'
import { assertNoUnfinishedImport } from './unfinished-work.ts'
import { assertWorkspaceExists } from './workspace-option.ts'

/** The steps of `reeve import`: each is a command of its own on the instance, because the file is sent in pieces. */

interface Step {
  readonly workspace: string
}

const actorOf = ({ ports }: Instance, { workspace }: Step) => cliActor(ports, workspace)

/** Steps have no options of their own: their input is what `reeve import` passes. */
const step = <Input extends Step, Result extends object>(
  run: (instance: Instance, input: Input) => Promise<Result>,
) =>
  instanceCommand({
    options: {},
    run: (instance, input) => run(instance, input as unknown as Input),
    print: () => '',
  })

export const beginImportStep = step(async (instance, input: Step & { readonly import: ImportInput }) => {
  await assertWorkspaceExists(instance.db.read, input.workspace)
  await assertNoUnfinishedImport(instance.db.read, input.workspace)
  return instance.db.write((tx) => beginImport(tx, instance, actorOf(instance, input), input.import))
})

export const importPartStep = step(
  (instance, input: Step & { readonly id: string; readonly part: number; readonly data: string }) =>
    instance.db.write((tx) =>
      addImportPart(tx, instance.ports, actorOf(instance, input), {
        id: input.id,
        part: input.part,
        data: Buffer.from(input.data, 'base64'),
      }),
    ),
)

export const importEntriesStep = step(
  async (instance, input: Step & { readonly id: string; readonly cursor: string | null }) => {
    const actor = actorOf(instance, input)
    const { id, cursor } = input
    return {
      ...(await getImport(instance.db.read, actor, { id })),
      ...(await listImportIssues(instance.db.read, actor, {
        id,
        limit: MAX_LIMIT,
        ...(cursor !== null && { cursor }),
      })),
    }
  },
)
