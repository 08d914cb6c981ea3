package roll.http;

import java.nio.file.Path;

/**
 * The PEM files of a certificate.
 *
 * @param chain the certificate, then the certificates that signed it
 * @param key its private key, PKCS#8 without a password
 */
public record PemFiles(Path chain, Path key) {}
