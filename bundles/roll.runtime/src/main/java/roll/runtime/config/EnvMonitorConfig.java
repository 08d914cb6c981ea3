package roll.runtime.config;

/**
 * How environments are watched over ({@code env_monitor}).
 *
 * @param hungTimeout seconds that one call of an environment may take; 0 for ever
 * @param rewardTimeout seconds that the rewards of an episode may take, which may run programs or
 *     ask others; 0 for ever
 * @param maxRetries how often an episode that failed is begun again
 * @param quarantineAfter groups lost in a row, after which a tag none of whose groups fares better
 *     is no longer played
 */
public record EnvMonitorConfig(
    double hungTimeout, double rewardTimeout, int maxRetries, int quarantineAfter) {
  /** What holds where nothing is configured: a minute, ten for rewards, one retry, three groups. */
  public static final EnvMonitorConfig STANDARD = new EnvMonitorConfig(60, 600, 1, 3);

  /** One in which rewards may take ten times as long as a call of an environment. */
  public EnvMonitorConfig(double hungTimeout, int maxRetries, int quarantineAfter) {
    this(hungTimeout, 10 * hungTimeout, maxRetries, quarantineAfter);
  }
}
