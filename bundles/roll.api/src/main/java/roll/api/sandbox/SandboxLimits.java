package roll.api.sandbox;

import java.time.Duration;

/**
 * What a program may use.
 *
 * @param time for one run
 * @param memory bytes that one run may take
 * @param output characters that are kept of what it prints; what is more is cut
 */
public record SandboxLimits(Duration time, long memory, int output) {
  /** Five seconds, 256 MiB, 8,192 characters. */
  public static final SandboxLimits STANDARD =
      new SandboxLimits(Duration.ofSeconds(5), 256L << 20, 8192);
}
