import { renderBash } from '../completion/bash.ts'
import type { CommandLine } from '../completion/command-tree.ts'
import { renderFish } from '../completion/fish.ts'
import { renderZsh } from '../completion/zsh.ts'
import { localCommand } from './command.ts'
import { describeCommands } from './reference.ts'

const completionCommand = (render: (commandLine: CommandLine) => string) =>
  localCommand({
    options: {},
    settings: [],
    run: async ({ commands, groups }) => ({
      script: render({ commands: await describeCommands(commands), groups }),
    }),
    print: ({ script }) => script.trimEnd(),
  })

export const bashCompletionCommand = completionCommand(renderBash)
export const zshCompletionCommand = completionCommand(renderZsh)
export const fishCompletionCommand = completionCommand(renderFish)
