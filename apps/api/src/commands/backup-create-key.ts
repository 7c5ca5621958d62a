import { createKeyFile } from '../backups/encryption/key-file.ts'
import { localCommand, pathCodec, required } from '../command-line/command.ts'

export const createBackupKeyCommand = localCommand({
  options: { file: required('<path>', 'the file to create; an existing one is not replaced', pathCodec) },
  settings: [],
  run: async (_context, { file }) => ({ file, keyId: createKeyFile(file) }),
  print: ({ file, keyId }) =>
    [
      `Created backup key ${keyId} in ${file}.`,
      'Store a copy of this file outside this machine, such as in a password manager: without it, no backup that was',
      'encrypted with it can be restored. Then set REEVE_BACKUP_KEY_FILE to its path.',
    ].join('\n'),
})
