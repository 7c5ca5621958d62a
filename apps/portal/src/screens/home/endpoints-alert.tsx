import { Alert, Anchor, Code, Text } from '@mantine/core'
import { IconToggleLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

/** Endpoints that are off or read-only, with their messages. */
export function EndpointsAlert({ endpoints }: { readonly endpoints: OverviewSection<'endpoints'> }) {
  const { id } = useWorkspace()
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconToggleLeft size={20} aria-hidden />}
      title={`${pluralize(endpoints.length, 'endpoint is', 'endpoints are')} not fully on`}
    >
      <ul className={classes.endpoints}>
        {endpoints.map(({ endpoint, mode, message }) => (
          <li key={endpoint}>
            <Code>{endpoint}</Code> {mode === 'off' ? 'is off' : 'is read-only'}
            {message ? (
              <>
                : “<bdi>{message}</bdi>”
              </>
            ) : null}
          </li>
        ))}
      </ul>
      <Text size="sm" mt="xs">
        <Anchor component={Link} to={`/w/${id}/configuration/api/controls`} inherit data-tap>
          Endpoint controls
        </Anchor>
      </Text>
    </Alert>
  )
}
