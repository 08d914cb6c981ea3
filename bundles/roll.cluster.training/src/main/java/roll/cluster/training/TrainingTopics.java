package roll.cluster.training;

/** Of the messages between the node that decides the steps and those that have ranks. */
final class TrainingTopics {
  /** Opens ranks; answered when they have met all others. */
  static final String OPEN = "training/open";

  /** Brings some of the pictures of the command that has this number, and follows. */
  static final String PICTURES = "training/pictures";

  /** Adds up the gradients of a batch. */
  static final String ACCUMULATE = "training/accumulate";

  /** Makes a step. */
  static final String STEP = "training/step";

  /** Scores a batch. */
  static final String SCORE = "training/score";

  /** Has the ranks see what was written. */
  static final String PUBLISH = "training/publish";

  /** Has the ranks send numbers of a parameter to rank 0. */
  static final String GATHER = "training/gather";

  /** Has the ranks receive numbers of a parameter from rank 0. */
  static final String SCATTER = "training/scatter";

  /** Asks for memory held. */
  static final String HELD = "training/held";

  /** Tells that ranks elsewhere have failed. */
  static final String ABORT = "training/abort";

  /** Closes ranks. */
  static final String CLOSE = "training/close";

  /** To the node that decides: where a rank is, for those who want to meet it. */
  static final String MEET = "training/meet";

  /** To the node that decides: asks for the loss of a micro-batch. */
  static final String LOSS = "training/loss";

  /** To the node that decides: tells that a rank has failed, before all have ended. */
  static final String FAILED = "training/failed";

  private TrainingTopics() {}
}
