package roll.cluster.nodes;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Fingerprint;

/**
 * Token that the first node prints and a joining node presents: the fingerprint by which to verify
 * the run, and a secret. As text {@code r1.} and 64 characters, or {@code p1.} and 22 without TLS.
 *
 * @param fingerprint of the run's authority; null without TLS
 * @param secret 16 random bytes
 */
record JoinToken(byte @Nullable [] fingerprint, byte[] secret) {
  private static final int SECRET_BYTES = 16;
  private static final String TLS = "r1.";
  private static final String PLAIN = "p1.";

  /**
   * Creates a token with a new secret.
   *
   * @param authority certificate of the run's authority; null without TLS
   */
  static JoinToken create(@Nullable X509Certificate authority) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new JoinToken(authority == null ? null : Fingerprint.of(authority), secret);
  }

  /**
   * Parses the output of {@link #toString}.
   *
   * @param what name of its source, for messages
   * @throws UserException if it is malformed or incomplete
   */
  static JoinToken parse(String what, String text) {
    boolean plain = text.startsWith(PLAIN);
    int length = plain ? SECRET_BYTES : Fingerprint.BYTES + SECRET_BYTES;
    try {
      if (plain || text.startsWith(TLS)) {
        byte[] bytes = Base64.getUrlDecoder().decode(text.substring(TLS.length()));
        if (bytes.length == length) {
          int fingerprint = length - SECRET_BYTES;
          return new JoinToken(
              plain ? null : Arrays.copyOf(bytes, fingerprint),
              Arrays.copyOfRange(bytes, fingerprint, length));
        }
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw new UserException(
        what
            + " is not a token (r1. and 64 characters), but has "
            + text.length()
            + " characters; copy the whole line that the first node prints");
  }

  /** Returns the token as text; it must not be logged. */
  @Override
  public String toString() {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    if (fingerprint == null) {
      return PLAIN + encoder.encodeToString(secret);
    }
    byte[] bytes = Arrays.copyOf(fingerprint, fingerprint.length + secret.length);
    System.arraycopy(secret, 0, bytes, fingerprint.length, secret.length);
    return TLS + encoder.encodeToString(bytes);
  }
}
