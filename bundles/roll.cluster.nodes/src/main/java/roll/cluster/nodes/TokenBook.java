package roll.cluster.nodes;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The secrets by which nodes may enrol, in memory only. A secret is good for many nodes, since one
 * line is pasted on many machines, and for a day. Can be used by all threads.
 */
final class TokenBook {
  static final Duration LIFE = Duration.ofHours(24);

  private record Secret(byte[] bytes, Instant end) {}

  private final List<Secret> secrets = new ArrayList<>();
  private final Clock clock;

  TokenBook(Clock clock) {
    this.clock = clock;
  }

  /** A new secret, good from now on. */
  synchronized byte[] issue() {
    byte[] bytes = fresh();
    accept(bytes);
    return bytes;
  }

  /** Has {@code secret}, which was made before, be good from now on. */
  synchronized void accept(byte[] secret) {
    secrets.add(new Secret(secret.clone(), clock.instant().plus(LIFE)));
  }

  /** A secret that nobody else has. */
  static byte[] fresh() {
    byte[] bytes = new byte[JoinToken.SECRET];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  /** Why a node with this secret may not enrol; null if it may. All secrets are compared. */
  synchronized @Nullable String problem(byte[] shown) {
    Secret found = null;
    for (Secret secret : secrets) {
      if (MessageDigest.isEqual(secret.bytes(), shown)) {
        found = secret;
      }
    }
    if (found == null) {
      return "the token is not of this run, or of an earlier start of it";
    }
    return clock.instant().isBefore(found.end())
        ? null
        : "the token was good for 24 hours; start the run again, or use a token printed later";
  }
}
