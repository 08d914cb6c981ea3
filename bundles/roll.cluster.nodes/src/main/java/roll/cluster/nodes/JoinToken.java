package roll.cluster.nodes;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Fingerprint;

/**
 * What a first node prints and another machine is given: by which authority to know the run, and a
 * secret to show. As text {@code r1.} and 64 letters, or {@code p1.} and 22 in the clear.
 *
 * @param fingerprint of the run's authority; null where there is no TLS
 * @param secret 16 random bytes
 */
record JoinToken(byte @Nullable [] fingerprint, byte[] secret) {
  static final int SECRET = 16;
  private static final String TLS = "r1.";
  private static final String PLAIN = "p1.";

  /**
   * Reads what {@link #toString} wrote.
   *
   * @param what it was given as, for messages
   * @throws UserException if it is something else, such as a part of it
   */
  static JoinToken read(String what, String text) {
    boolean plain = text.startsWith(PLAIN);
    int length = plain ? SECRET : Fingerprint.BYTES + SECRET;
    try {
      if (plain || text.startsWith(TLS)) {
        byte[] bytes = Base64.getUrlDecoder().decode(text.substring(TLS.length()));
        if (bytes.length == length) {
          ByteBuffer in = ByteBuffer.wrap(bytes);
          byte[] fingerprint = plain ? null : new byte[Fingerprint.BYTES];
          if (fingerprint != null) {
            in.get(fingerprint);
          }
          byte[] secret = new byte[SECRET];
          in.get(secret);
          return new JoinToken(fingerprint, secret);
        }
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw new UserException(
        what
            + " is not what a first node prints (r1. and 64 letters), but has "
            + text.length()
            + " letters; copy the whole line");
  }

  /** The text; it must not be logged. */
  @Override
  public String toString() {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    if (fingerprint == null) {
      return PLAIN + encoder.encodeToString(secret);
    }
    byte[] bytes =
        ByteBuffer.allocate(fingerprint.length + secret.length)
            .put(fingerprint)
            .put(secret)
            .array();
    return TLS + encoder.encodeToString(bytes);
  }
}
