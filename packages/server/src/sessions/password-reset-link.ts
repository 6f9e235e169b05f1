/** Makes the link of a token. The token follows `#`, so that it is in no log of a server or a proxy. */
export function resetUrl(publicUrl: string): (token: string) => string {
  return (token) => `${publicUrl}/app/reset-password#${token}`;
}
