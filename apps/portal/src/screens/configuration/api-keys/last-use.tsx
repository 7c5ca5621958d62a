import { FormattedTime } from '../../../components/formatted-time.tsx'
import type { ApiKey } from './key-data.ts'

/** When and from which IP address a key was last used. */
export const LastUse = ({ apiKey: { lastUsedAt, lastUsedAddress } }: { readonly apiKey: ApiKey }) =>
  lastUsedAt === null ? (
    <>Never used</>
  ) : (
    <>
      Last used <FormattedTime value={lastUsedAt} />
      {lastUsedAddress ? <> from {lastUsedAddress}</> : null}
    </>
  )
