/** The API's CORS headers. They allow every origin, because a mock server has no real tokens to protect. */
const allowed: Record<string, string> = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-max-age': '600',
  'access-control-allow-private-network': 'true',
};

/** Responds to a browser's preflight request. Returns undefined for any other request. */
export function preflight(request: Request): Response | undefined {
  const { headers, method } = request;
  if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      ...allowed,
      'access-control-allow-origin': '*',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
    },
  });
}

/** Adds the headers that let a page read the response. */
export function expose(request: Request, response: Response): Response {
  if (!request.headers.has('origin')) return response;
  try {
    return withHeaders(response);
  } catch {
    // The headers may be immutable, for example if an override returned a `Response.redirect()`.
    return withHeaders(new Response(response.body, response));
  }
}

function withHeaders(response: Response): Response {
  response.headers.set('access-control-allow-origin', '*');
  response.headers.set('access-control-expose-headers', '*');
  return response;
}
