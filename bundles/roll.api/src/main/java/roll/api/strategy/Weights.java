package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A session's weights, to be handed to another session. Sessions on one device share them without a
 * copy; what is inside is the compute layer's business.
 */
@ConsumerType
public interface Weights {
  /** Number of optimizer steps that made them. */
  long version();
}
