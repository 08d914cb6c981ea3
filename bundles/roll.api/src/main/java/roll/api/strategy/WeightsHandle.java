package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A session's weights for another session. Sessions on one device share them without a copy. The
 * contents are private to the compute layer.
 */
@ConsumerType
public interface WeightsHandle {
  /** Number of optimizer steps that led to them. */
  long version();
}
