import { FormattedTime } from '../../../components/formatted-time.tsx'
import type { ApiKey } from './key-data.ts'

/** When a key was last used, and from where. */
export const LastUse = ({ apiKey: { lastUsedAt, lastUsedAddress } }: { readonly apiKey: ApiKey }) =>
  lastUsedAt === null ? (
    <>Never used yet</>
  ) : (
    <>
      Last used <FormattedTime value={lastUsedAt} />
      {lastUsedAddress ? <> from {lastUsedAddress}</> : null}
    </>
  )
