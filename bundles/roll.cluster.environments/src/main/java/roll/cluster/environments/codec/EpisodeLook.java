package roll.cluster.environments.codec;

/** What can be asked of an episode beside a step: the methods of {@code Episode} of these names. */
public enum EpisodeLook {
  /** A text. */
  OBSERVATION,
  /** A list of texts. */
  ACTIONS,
  /** A text, of a text. */
  RESPOND,
  /** A text or none. */
  EXPERT,
  /** A mapping. */
  FACTS,
  /** A picture or none. */
  PICTURE,
  /** A picture or none. */
  RENDER,
  /** A text and its pictures. */
  OBSERVED
}
