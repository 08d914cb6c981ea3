package roll.api.sandbox;

import java.time.Duration;

/**
 * Resource limits of a program.
 *
 * @param time time limit per run
 * @param memory memory limit per run in bytes
 * @param output maximum number of characters of output; more is truncated
 * @param isolation required isolation
 */
public record SandboxLimits(Duration time, long memory, int output, Isolation isolation) {
  /** Five seconds, 256 MiB, 8,192 characters, isolation required. */
  public static final SandboxLimits STANDARD =
      new SandboxLimits(Duration.ofSeconds(5), 256L << 20, 8192);

  /** Creates sandbox limits with required isolation. */
  public SandboxLimits(Duration time, long memory, int output) {
    this(time, memory, output, Isolation.REQUIRED);
  }
}
