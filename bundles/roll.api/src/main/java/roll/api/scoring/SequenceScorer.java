package roll.api.scoring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** Gives sequences of tokens a score: a scoring session, or a role that has one. */
@ConsumerType
@FunctionalInterface
public interface SequenceScorer {
  /**
   * A score for each sequence, in their order; what runs together depends on the list alone.
   *
   * @param sequences token ids, at least one each
   */
  CompletableFuture<double[]> score(List<int[]> sequences);
}
