package roll.api.sandbox;

import java.time.Duration;

/**
 * What a program may use.
 *
 * @param time for one run
 * @param memory bytes that one run may take
 * @param output characters that are kept of what it prints; what is more is cut
 * @param isolation how well it must be shut in
 */
public record SandboxLimits(Duration time, long memory, int output, Isolation isolation) {
  /** Five seconds, 256 MiB, 8,192 characters, shut in. */
  public static final SandboxLimits STANDARD =
      new SandboxLimits(Duration.ofSeconds(5), 256L << 20, 8192);

  /** Limits for a program that must be shut in. */
  public SandboxLimits(Duration time, long memory, int output) {
    this(time, memory, output, Isolation.REQUIRED);
  }
}
