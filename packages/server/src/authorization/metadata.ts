/** What apps read before they connect (RFC 9728, RFC 8414): no member is null, and no scope is asked for beyond the one. */
import { type AppResource, resourceUrl } from "@frontdesk/core/domain/app-resource";

/** People choose permissions on the consent page; apps have nothing to choose from. */
export const APP_SCOPE = "assist";
/** For developers: the reference of this very installation. */
const documentation = (issuer: string): string => `${issuer}/docs`;

export function resourceMetadata(issuer: string, resource: AppResource) {
  return {
    resource: resourceUrl(issuer, resource),
    authorization_servers: [issuer],
    scopes_supported: [APP_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: resource === "mcp" ? "Frontdesk" : "Frontdesk (read only)",
    resource_documentation: documentation(issuer),
  };
}

/** @param takesDocuments whether a client may be the address of its own document */
export function serverMetadata(issuer: string, takesDocuments: boolean) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: [APP_SCOPE],
    authorization_response_iss_parameter_supported: true,
    ...(takesDocuments && { client_id_metadata_document_supported: true }),
    service_documentation: documentation(issuer),
  };
}

/** Where the document of a resource is. */
export const resourceMetadataUrl = (issuer: string, resource: AppResource): string =>
  `${issuer}/.well-known/oauth-protected-resource${resource === "mcp" ? "/mcp" : "/mcp/readonly"}`;

/**
 * The challenge of a 401 at a resource.
 *
 * @param problem undefined where no token was sent
 */
export function challenge(issuer: string, resource: AppResource, problem: string | undefined): string {
  const error = problem === undefined ? "" : `, error="invalid_token", error_description="${problem}"`;
  const where = resourceMetadataUrl(issuer, resource);
  return `Bearer realm="Frontdesk"${error}, scope="${APP_SCOPE}", resource_metadata="${where}"`;
}
