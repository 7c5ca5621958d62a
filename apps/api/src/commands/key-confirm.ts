import { confirmKey } from '@reeve/auth'
import { keyChangeCommand } from './key-revoke.ts'

export const confirmKeyCommand = keyChangeCommand(confirmKey, ({ keyId }) => `Confirmed key ${keyId}.`)
