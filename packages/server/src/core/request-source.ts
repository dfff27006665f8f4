/** The source of a request, as far as the operator's own proxies report it. */
export interface RequestSource {
  /** The id of the request, which the answer carries in `x-stack-request-id`. */
  readonly traceId: string;
  /** The address of the caller in canonical form: RFC 5952, mapped IPv4 addresses as IPv4. Undefined without a socket. */
  readonly address: string | undefined;
  /** The key of address limits: the IPv4 address or the IPv6 /64. */
  readonly block: string | undefined;
  /** A request from this machine in development. Address limits do not count it, so that tests can sign up many users. */
  readonly isOwnMachine: boolean;
  readonly userAgent: string | null;
  /** Two letters, as a proxy states it. A caller without a proxy can set the header: for display, never for access. */
  readonly countryCode: string | null;
}
