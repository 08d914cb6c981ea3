package roll.cluster.environments.codec;

/** Of the messages between a node that plays environments and the one that has them played. */
public final class EnvironmentTopics {
  /** Asks for the environments of a node. */
  public static final String OFFERS = "environments/offers";

  /** Tells that the environments of a node are others now. */
  public static final String CHANGED = "environments/changed";

  /** Asks for the description and the options of an environment. */
  public static final String DESCRIBE = "environments/describe";

  /** Asks for what is known of a configured world. */
  public static final String WORLD = "environments/world";

  /** Begins an episode. */
  public static final String RESET = "environments/reset";

  /** Acts. */
  public static final String STEP = "environments/step";

  /** Looks at an episode. */
  public static final String LOOK = "environments/look";

  /** Tells that an episode is not wanted any more. */
  public static final String CLOSE = "environments/close";

  private EnvironmentTopics() {}
}
