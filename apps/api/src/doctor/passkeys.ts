import { getRelyingParty } from '@reeve/auth'
import { type Queries, statement } from '@reeve/db'
import { MAX_NAMED, pluralize } from '../format.ts'
import { type Finding, ok, warning } from './finding.ts'

const passkeysByHost = statement<{ limit: number }>()((sql, p) =>
  sql
    .selectFrom('passkey')
    .select(['rp_id', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('rp_id')
    .orderBy('rp_id')
    .limit(p.limit),
)

const CHANGE_ADVICE =
  'Changing the host of REEVE_PUBLIC_URL makes them useless: their users have to add new ones.'

/**
 * Compares the host that passkeys were created for with that of the public URL.
 * @param publicUrl null if it is not set
 */
export async function checkPasskeys(read: Queries, publicUrl: URL | null): Promise<Finding> {
  const hosts = await read.all(passkeysByHost, { limit: MAX_NAMED })
  const total = hosts.reduce((sum, { count }) => sum + Number(count), 0)
  if (total === 0) return ok('passkeys', 'No account has a passkey.')
  if (publicUrl === null)
    return warning(
      'passkeys',
      `REEVE_PUBLIC_URL is not set, but there are passkeys for ${hosts.map(({ rp_id: host }) => host).join(', ')}: they work only there.`,
      'Set it as for the server, then check again. Without it, passkeys do not work.',
    )
  const relyingParty = getRelyingParty(publicUrl)
  const others = hosts.filter(({ rp_id: host }) => host !== relyingParty.id)
  if (others.length > 0) {
    const counts = others.map(
      ({ rp_id: host, count }) => `${pluralize(Number(count), 'passkey')} for ${host}`,
    )
    return warning(
      'passkeys',
      `The host of REEVE_PUBLIC_URL is ${relyingParty.id}, where ${counts.join(', ')} cannot be used.`,
      'Set REEVE_PUBLIC_URL to that host again, or have their users sign in by other means and add new passkeys.',
    )
  }
  if (relyingParty.problem !== null)
    return warning('passkeys', relyingParty.problem, 'Until then, passkeys do not work.')
  return ok('passkeys', `${pluralize(total, 'passkey')} for ${relyingParty.id}.`, CHANGE_ADVICE)
}
