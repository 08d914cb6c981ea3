package roll.api.config;

/**
 * How environments are watched over ({@code env_monitor}).
 *
 * @param hungTimeout seconds that one call of an environment may take; 0 for ever
 * @param maxRetries how often an episode that failed is begun again
 * @param quarantineAfter groups lost in a row, after which a tag none of whose groups fares better
 *     is no longer played
 */
public record EnvMonitorConfig(double hungTimeout, int maxRetries, int quarantineAfter) {
  /** What holds where nothing is configured: a minute, one retry, three groups. */
  public static final EnvMonitorConfig STANDARD = new EnvMonitorConfig(60, 1, 3);
}
