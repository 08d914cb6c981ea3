package roll.runtime.config;

/**
 * Limits on failing and hanging environments ({@code env_monitor}).
 *
 * @param hungTimeout seconds limit of one call of an environment; 0 for no limit
 * @param rewardTimeout seconds limit of computing the rewards of an episode, which may run programs
 *     or query models; 0 for no limit
 * @param maxRetries number of retries of a failed episode
 * @param quarantineAfter number of consecutive failed groups after which a tag without a successful
 *     group is quarantined
 */
public record EnvMonitorConfig(
    double hungTimeout, double rewardTimeout, int maxRetries, int quarantineAfter) {
  /** The default: 60 s per call, 600 s for rewards, one retry, quarantine after three groups. */
  public static final EnvMonitorConfig STANDARD = new EnvMonitorConfig(60, 600, 1, 3);

  /**
   * Creates a configuration in which rewards may take ten times as long as a call of an
   * environment.
   */
  public EnvMonitorConfig(double hungTimeout, int maxRetries, int quarantineAfter) {
    this(hungTimeout, 10 * hungTimeout, maxRetries, quarantineAfter);
  }
}
