package roll.api.preference;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Options;

/**
 * An objective of training on preferences, such as DPO. Stateless; called from any thread. It sees
 * a whole optimizer batch, so that pairs may be split over micro-batches and devices.
 */
@ConsumerType
public interface PreferenceObjective {
  /** Description for users and the pipeline; constant. */
  PreferenceInfo info();

  /**
   * Computes loss, derivatives and rewards of a batch. All options are read for any batch, so that
   * one without answers, whose loss is 0, checks them.
   *
   * @param options checked against {@link PreferenceInfo#options()}
   * @throws roll.api.option.UserException if an option has a value that is not allowed
   */
  PreferenceResult evaluate(PreferenceBatch batch, Options options);
}
