import { AppError, wire } from '@reeve/core'
import { formatSize, storageQuotaCodec } from '@reeve/core/size'
import { monthlyQuotaCodec, setQuota } from '@reeve/usage'
import { cliActor, instanceCommand, optional } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

/** Accepts further words with a meaning of their own. */
const withWords = <T, Word>(
  codec: Pick<wire.Codec<T>, 'read'>,
  words: Readonly<Record<string, Word>>,
): { read: (text: string) => { quota: T | Word } } => ({
  read(text) {
    if (Object.hasOwn(words, text)) return { quota: words[text] as Word }
    try {
      return { quota: codec.read(text) }
    } catch (error) {
      if (!(error instanceof wire.WireError)) throw error
      throw new wire.WireError(`${error.message}, or ${Object.keys(words).join(' or ')}`)
    }
  },
})

export const setQuotaCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    requests: optional(
      '<number>',
      'requests per calendar month (UTC), or none for no limit',
      withWords(monthlyQuotaCodec, { none: null }),
    ),
    storage: optional(
      '<size>',
      'stored bytes, such as 5GB, none for no limit, or default for REEVE_STORAGE_QUOTA',
      withWords(storageQuotaCodec, { none: 0, default: null }),
    ),
  },
  async run({ db, ports }, { workspace, requests, storage }) {
    if (requests === null && storage === null)
      throw new AppError('invalid_request', {
        message: 'Set at least one quota: --requests or --storage.',
      })
    await assertWorkspaceExists(db.read, workspace)
    return db.write((tx) =>
      setQuota(tx, ports, cliActor(ports, workspace), {
        workspaceId: workspace,
        ...(requests && { monthlyQuota: requests.quota }),
        ...(storage && { storageQuota: storage.quota }),
      }),
    )
  },
  print: ({ quota: { monthlyQuota, storageQuota } }) =>
    [
      monthlyQuota === null
        ? 'The workspace may send any number of requests.'
        : `The workspace may send ${monthlyQuota} requests per calendar month (UTC).`,
      storageQuota === null
        ? 'It may store as much as the default of the instance.'
        : storageQuota === '0'
          ? 'It may store any amount of data.'
          : `It may store ${formatSize(Number(storageQuota))}.`,
    ].join('\n'),
})
