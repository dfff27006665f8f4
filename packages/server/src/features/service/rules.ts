type VersionVerdict = { upToDate: true } | { upToDate: false; error: string; severe: boolean };

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/**
 * Whether `x-stack-client-version` names one of our packages. Those are always up to date
 * (docs/contract/decisions.md#sdk).
 */
export function isOwnPackage(clientVersion: string | null): boolean {
  return clientVersion !== null && /^\w+ +@tessera\/[\w/-]+@[\d.]+$/.test(clientVersion);
}

/** Compares a client version with the server version (docs/contract/envelope.md#service-endpoints). */
export function judgeVersion(clientVersion: string, serverVersion: string): VersionVerdict {
  if (clientVersion === serverVersion) return { upToDate: true };
  const client = parseVersion(clientVersion);
  const server = parseVersion(serverVersion);
  if (client === undefined || server === undefined) {
    return refuseVersion(`"${clientVersion.slice(0, 100)}" is not a semantic version.`, true);
  }
  const isOther = client.major !== server.major || client.minor !== server.minor;
  if (isOther)
    return refuseVersion(`Client ${clientVersion} and server ${serverVersion} may not understand each other.`, true);
  if (client.patch < server.patch)
    return refuseVersion(`Client ${clientVersion} is older than ${serverVersion}.`, false);
  if (client.patch > server.patch)
    return refuseVersion(`Client ${clientVersion} is newer than ${serverVersion}.`, false);
  return refuseVersion(`Client ${clientVersion} is another build of ${serverVersion}.`, true);
}

const semanticVersion = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:[-+][0-9A-Za-z.+-]+)?$/;

function refuseVersion(error: string, severe: boolean): VersionVerdict {
  return { upToDate: false, error, severe };
}

function parseVersion(text: string): Version | undefined {
  const match = semanticVersion.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}
