package roll.cluster.pekko;

/**
 * Whether what comes over a connection looks like that of a member. With TLS 1.3 its second flight
 * is encrypted: a record of that kind comes from whoever has taken part in a handshake, and what is
 * in it is checked by the other end, which closes the connection if it is not a member's.
 */
final class MemberGreeting {
  private static final int HEAD = 5;
  private static final int ENCRYPTED = 23;

  private final boolean tls;
  private int head;
  private int kind;
  private int left;
  private boolean shown;

  /** What comes first; in the clear five bytes are enough, which the other end checks. */
  MemberGreeting(boolean tls) {
    this.tls = tls;
  }

  /** Whether it does, after these bytes too. */
  boolean shown(byte[] bytes, int count) {
    for (int i = 0; i < count && !shown; i++) {
      next(bytes[i] & 0xff);
    }
    return shown;
  }

  private void next(int octet) {
    if (head == HEAD) {
      left--;
    } else if (++head == 1) {
      kind = octet;
    } else if (head == HEAD - 1) {
      left = octet << 8;
    } else if (head == HEAD) {
      left |= octet;
      shown = !tls;
    }
    if (head == HEAD && left == 0) {
      shown |= kind == ENCRYPTED;
      head = 0;
    }
  }
}
