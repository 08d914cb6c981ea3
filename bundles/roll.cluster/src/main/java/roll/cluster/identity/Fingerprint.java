package roll.cluster.identity;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;

/** SHA-256 of a certificate. */
public final class Fingerprint {
  /** Length of a certificate fingerprint in bytes. */
  public static final int BYTES = 32;

  private Fingerprint() {}

  /** Returns the {@value #BYTES} bytes of the fingerprint. */
  public static byte[] of(X509Certificate certificate) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
