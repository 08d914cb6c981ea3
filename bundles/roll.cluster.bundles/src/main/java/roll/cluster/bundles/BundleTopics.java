package roll.cluster.bundles;

/** Of the messages between the first node, which has bundles, and others that lack them. */
final class BundleTopics {
  /** Asks for the bundles that a node lacks. */
  static final String OFFERS = "bundles/offers";

  /** Tells that they may be others now. */
  static final String CHANGED = "bundles/changed";

  /** Asks for a part of a jar. */
  static final String READ = "bundles/read";

  /** The most bytes of a part. */
  static final int PART = 4 << 20;

  private BundleTopics() {}
}
