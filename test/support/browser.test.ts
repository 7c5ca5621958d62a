import { expect, test } from 'bun:test'
import { openBrowser, openTab, settlePages } from './browser.ts'
import { WAIT_MS } from './page-actions.ts'

test('a page is not settled while it receives a response, and is once it shows it', async () => {
  const body = Promise.withResolvers<string>()
  const html = `<p>Waiting</p><script type="module">
    document.querySelector('p').textContent = await (await fetch('/data')).text()
  </script>`
  const server = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      url.endsWith('/data')
        ? new Response(
            new ReadableStream({
              async start(controller) {
                controller.enqueue('Received')
                controller.enqueue(await body.promise)
                controller.close()
              },
            }),
          )
        : new Response(html, { headers: { 'content-type': 'text/html' } }),
  })
  const browser = await openBrowser()
  try {
    const received = Promise.withResolvers<void>()
    const { page } = await openTab(browser, 'about:blank', {}, [], async (newPage) => {
      newPage.on('response', (response) => response.url().endsWith('/data') && received.resolve())
    })
    await page.goto(server.url.href)
    await received.promise
    let isSettled = false
    const settled = settlePages(WAIT_MS).then(() => {
      isSettled = true
    })
    // Many more frames than an idle page needs to be settled.
    await page.evaluate(
      'new Promise((resolve) => { const next = (count) => count === 0 ? resolve() : requestAnimationFrame(() => next(count - 1)); next(30) })',
    )
    expect(isSettled).toBe(false)
    body.resolve(' completely')
    await settled
    expect(await page.locator('p').textContent()).toBe('Received completely')
  } finally {
    await browser.close()
    await server.stop(true)
  }
})
