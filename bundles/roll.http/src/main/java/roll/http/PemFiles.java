package roll.http;

import java.nio.file.Path;

/**
 * A certificate in PEM files.
 *
 * @param chain the certificate, then those it is signed by
 * @param key its private key, PKCS#8 without a password
 */
public record PemFiles(Path chain, Path key) {}
