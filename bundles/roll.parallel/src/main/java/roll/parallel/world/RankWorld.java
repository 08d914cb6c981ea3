package roll.parallel.world;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;

/** The ranks of one model in several processes, coordinated by this one. */
@ProviderType
public interface RankWorld {
  /** Returns the group of all ranks. */
  RankGroup group();

  /** Returns this process as a member of the group of ranks. */
  LocalProcess site();

  /** Returns the specification for this process, with the devices of its own ranks. */
  ShardedModelSpec here();

  /**
   * Opens the ranks of the other processes, which connect to those of this process; it opens them
   * concurrently.
   *
   * @return the other processes; the caller closes them. If one of them fails, the opened ones are
   *     closed, and ranks that wait for them fail
   */
  CompletableFuture<List<RankProcess>> open();

  /**
   * Reports that this process could not open its own ranks, so that the others do not wait for
   * them.
   */
  void fail(Throwable cause);
}
