package roll.cluster.inference.codec;

/** Of the messages between a node that has strategies and one that uses them. */
public final class Topics {
  /** Asks for the strategies of a node. */
  public static final String STRATEGIES = "inference/strategies";

  /** Tells that the strategies of a node are others now. */
  public static final String CHANGED = "inference/changed";

  /** Opens a session. */
  public static final String OPEN = "inference/open";

  /** Brings pictures of a call that follows. */
  public static final String PICTURES = "inference/pictures";

  /** Asks for responses. */
  public static final String GENERATE = "inference/generate";

  /** Tells that what a call asks for is not wanted any more. */
  public static final String CANCEL = "inference/cancel";

  /** Asks for scores. */
  public static final String SCORE = "inference/score";

  /** Tells to use other weights. */
  public static final String UPDATE = "inference/update";

  /** Tells which version of a role's weights is the newest. */
  public static final String NEWEST = "inference/newest";

  /** Tells to free what can be had again. */
  public static final String SLEEP = "inference/sleep";

  /** Tells to have it again. */
  public static final String WAKE = "inference/wake";

  /** Asks for metrics. */
  public static final String METRICS = "inference/metrics";

  /** Asks for memory held. */
  public static final String HELD = "inference/held";

  /** Closes a session. */
  public static final String CLOSE = "inference/close";

  private Topics() {}
}
