/** For local tests only: a key that is trusted only where a test configures it. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Self-signed, for `localhost` and 127.0.0.1. */
export const localCertificate: TestCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghgiPOWlENeGRcJcC
9rJB5sYywxxqgt+ig4/d3RCZELOhRANCAARi4yzqb8QQk5dpqjgVnBJz5i2eDb3A
ID2KkhLAW1Shl7hBQBXtsAoNcM6iISpPCW1MlxIxu+Veet6qIuHeYg6t
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBejCCASCgAwIBAgIUEOWgv3w7zF1q8ax7MZ+bxeA5JbMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARi4yzqb8QQk5dpqjgVnBJz5i2eDb3AID2KkhLAW1Shl7hBQBXtsAoN
cM6iISpPCW1MlxIxu+Veet6qIuHeYg6to04wTDAPBgNVHRMBAf8EBTADAQH/MBoG
A1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQU8otqPbLBXiV/QjxE
L/eJgY0qI18wCgYIKoZIzj0EAwIDSAAwRQIhAM+BGTBuzcpZWgTRzif6Unz/kZdZ
ZlV6uQM/lO1J1DbmAiBiKB+R1GOT2rPDNAUMPAxNHrP/i0lBPJXqHcc9/d8NHQ==
-----END CERTIFICATE-----
`,
};

/** Self-signed, for `mail.elsewhere.example`. */
export const foreignCertificate: TestCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf9pgFG8Zpu9aPV85
bPYzXGK0/ZR/EZwgFEw0218LoIuhRANCAATRoSfvR1ung2MHOn6uTUOCyi56hoLt
B3HtEd5wAU/NKbXy1qDGuWbCSaY3NGs0kXkAF7xVQg+r3Itpe4xGzQ79
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBgTCCASegAwIBAgIUcdMrfm086p7v6QehKdi76IofrFYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJZWxzZXdoZXJlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAllbHNld2hlcmUwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATRoSfvR1ung2MHOn6uTUOCyi56hoLtB3HtEd5wAU/NKbXy1qDGuWbC
SaY3NGs0kXkAF7xVQg+r3Itpe4xGzQ79o1UwUzAPBgNVHRMBAf8EBTADAQH/MCEG
A1UdEQQaMBiCFm1haWwuZWxzZXdoZXJlLmV4YW1wbGUwHQYDVR0OBBYEFI0/tnQg
lxTV/xPCMkcBfT0QNgW7MAoGCCqGSM49BAMCA0gAMEUCIHoIggXf1FHkdtfic11h
hfvXAru9edQ+mpzxLWx/S5+xAiEA6Ptzugy5rfTMl1TZ4tTdBTmFe/xGqrtSEQ+8
ZDkD8Mc=
-----END CERTIFICATE-----
`,
};
