/**
 * Takes the browser to an app. No form does it: browsers apply the policy of the page to where a form is redirected to, and an app may
 * have an address of any kind.
 */
export function leaveFor(url: string): void {
  window.location.assign(url);
}
