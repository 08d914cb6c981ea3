package roll.cluster.pekko;

/**
 * Detects whether the first bytes of a connection may come from a member. In TLS 1.3 the second
 * flight of the client is encrypted: only a peer that has taken part in a handshake sends a record
 * of that type. The TLS engine behind it verifies the content, and closes other connections.
 */
final class HandshakeDetector {
  private static final int HEADER_BYTES = 5;
  private static final int APPLICATION_DATA = 23;

  private final boolean tls;
  private int headerBytes;
  private int type;
  private int remaining;
  private boolean detected;

  /** Without TLS, five bytes of any content are sufficient. */
  HandshakeDetector(boolean tls) {
    this.tls = tls;
  }

  /** Processes the next bytes; returns whether those up to here are sufficient. */
  boolean detect(byte[] bytes, int count) {
    for (int i = 0; i < count && !detected; i++) {
      next(bytes[i] & 0xff);
    }
    return detected;
  }

  private void next(int octet) {
    if (headerBytes == HEADER_BYTES) {
      remaining--;
    } else if (++headerBytes == 1) {
      type = octet;
    } else if (headerBytes == HEADER_BYTES - 1) {
      remaining = octet << 8;
    } else if (headerBytes == HEADER_BYTES) {
      remaining |= octet;
      detected = !tls;
    }
    if (headerBytes == HEADER_BYTES && remaining == 0) {
      detected |= type == APPLICATION_DATA;
      headerBytes = 0;
    }
  }
}
