import { localCommand } from '../command-line/command.ts'
import { renderBash } from '../command-line/completion/bash.ts'
import type { CommandLine } from '../command-line/completion/command-tree.ts'
import { renderFish } from '../command-line/completion/fish.ts'
import { renderZsh } from '../command-line/completion/zsh.ts'
import { describeCommands } from '../command-line/reference.ts'

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
