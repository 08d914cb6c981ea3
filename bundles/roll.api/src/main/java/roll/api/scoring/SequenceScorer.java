package roll.api.scoring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** Scores token sequences: a scoring session, or a role that has one. */
@ConsumerType
@FunctionalInterface
public interface SequenceScorer {
  /**
   * Computes a score for each sequence, in order; batching depends on the list alone.
   *
   * @param sequences token ids, at least one each
   */
  CompletableFuture<double[]> score(List<int[]> sequences);
}
