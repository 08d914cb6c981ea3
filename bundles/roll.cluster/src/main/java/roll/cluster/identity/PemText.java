package roll.cluster.identity;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys and certificates in PEM format. */
public final class PemText {
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----");

  private PemText() {}

  /** Encodes a certificate in PEM format. */
  public static String of(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Encodes a key in PKCS#8, without encryption. */
  static String of(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  private static String block(String what, byte[] bytes) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(what, LINES.encodeToString(bytes), what)
        .replace("\r", "");
  }

  /**
   * Decodes the first certificate in {@code text}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static X509Certificate certificate(String text) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (CertificateException e) {
      throw new IllegalArgumentException("no certificate: " + e.getMessage(), e);
    }
  }

  /** Decodes the elliptic curve key in {@code text}. */
  static PrivateKey key(String text) {
    Matcher block = KEY.matcher(text);
    if (!block.find()) {
      throw new IllegalArgumentException("no private key");
    }
    try {
      return KeyFactory.getInstance("EC")
          .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(block.group(1))));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("no elliptic curve key: " + e.getMessage(), e);
    }
  }
}
